import { TxError, type TxFault } from '../execution/fault.ts'
import { upfrontCost } from '../execution/runTx.ts'
import { validateTx } from '../execution/validateTx.ts'
import type { Rules } from '../forks/rules.ts'
import { never } from '../primitives/bytes.ts'
import { maxU64, maxU256 } from '../primitives/u256.ts'
import { senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { PoolFault } from './fault.ts'

/** Returns the fault of a transaction that does not depend on the state. */
export function findTxFault(tx: Tx, rules: Rules, chainId: bigint): PoolFault | undefined {
  try {
    validateTx(tx, rules, chainId)
  } catch (error) {
    const fault = error instanceof TxError ? poolFaultOf(error.at, tx) : undefined
    if (fault) return fault
    throw error
  }
  return senderOf(tx) ? undefined : { code: 'INVALID_SIGNATURE' }
}

/** Translates a fault of execution into the pool's; undefined for those that depend on a block and its state. */
function poolFaultOf(fault: TxFault, tx: Tx): PoolFault | undefined {
  switch (fault.code) {
    case 'TX_TYPE_NOT_SUPPORTED':
      return { code: 'INVALID_TRANSACTION_FORMAT', type: fault.type }
    case 'INVALID_SIGNATURE':
      return { code: 'INVALID_SIGNATURE' }
    case 'WRONG_CHAIN_ID':
      return { code: 'WRONG_CHAIN_ID', have: fault.have, want: fault.want }
    case 'REPLAY_PROTECTION_NOT_SUPPORTED':
      return { code: 'REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED' }
    case 'NONCE_OVERFLOW':
      return { code: 'NONCE_OVERFLOW' }
    case 'GAS_LIMIT_OUT_OF_RANGE':
      return { code: 'EXCEEDS_BLOCK_GAS_LIMIT', have: fault.have, limit: maxU64 }
    case 'GAS_LIMIT_EXCEEDS_CAP':
      return { code: 'EXCEEDS_PER_TRANSACTION_GAS_LIMIT', have: fault.have, cap: fault.cap }
    case 'GAS_COST_OVERFLOW':
      // The cost exceeds every possible balance.
      return { code: 'UPFRONT_COST_EXCEEDS_BALANCE', have: maxU256, want: upfrontCost(tx) }
    case 'INIT_CODE_TOO_LARGE':
      return { code: 'INITCODE_TOO_LARGE', have: fault.have, limit: fault.limit }
    case 'PRIORITY_FEE_ABOVE_MAX_FEE':
      return { code: 'MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS', priority: fault.priority, max: fault.max }
    case 'BLOBS_MISSING':
      return { code: 'INVALID_BLOBS', why: 'none' }
    case 'BLOB_HASH_VERSION':
      return { code: 'INVALID_BLOBS', why: 'hash version' }
    case 'TOO_MANY_BLOBS':
      return { code: 'TOTAL_BLOB_GAS_TOO_HIGH', have: fault.have, limit: fault.limit }
    case 'AUTHORIZATIONS_MISSING':
      return { code: 'EMPTY_CODE_DELEGATION' }
    case 'INTRINSIC_GAS_TOO_LOW':
    case 'FLOOR_GAS_TOO_LOW':
      return { code: 'INTRINSIC_GAS_EXCEEDS_GAS_LIMIT', have: fault.have, want: fault.want }
    case 'NONCE_TOO_LOW':
    case 'NONCE_TOO_HIGH':
    case 'GAS_LIMIT_EXCEEDS_BLOCK':
    case 'MAX_FEE_BELOW_BASE_FEE':
    case 'INSUFFICIENT_FUNDS':
    case 'SENDER_HAS_CODE':
    case 'NOT_PERMITTED':
    case 'MAX_BLOB_FEE_TOO_LOW':
    case 'BLOB_GAS_EXCEEDS_BLOCK':
      return undefined
    default:
      return never(fault)
  }
}
