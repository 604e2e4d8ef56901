import type { Rules } from '../forks/rules.ts'
import { maxU64, maxU256 } from '../primitives/u256.ts'
import { hasLowS } from '../types/signTx.ts'
import { chainIdOf, maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { memoOf } from '../types/txMemo.ts'
import { checkInitCode, checkPriorityFee } from './checkTx.ts'
import { TxError } from './fault.ts'
import { floorGas, intrinsicGas } from './intrinsicGas.ts'

const blobHashVersion = 1

function checkSignature(tx: Tx, rules: Rules, chainId: bigint): void {
  const bound = chainIdOf(tx)
  if (bound !== undefined) {
    if (!rules.replayProtection) throw new TxError({ code: 'REPLAY_PROTECTION_NOT_SUPPORTED' })
    if (bound !== chainId) throw new TxError({ code: 'WRONG_CHAIN_ID', have: bound, want: chainId })
  }
  if (rules.lowS && !hasLowS(tx)) throw new TxError({ code: 'INVALID_SIGNATURE' })
}

function checkBlobs(tx: Tx & { type: 3 }, rules: Rules): void {
  const have = tx.blobHashes.length
  if (have === 0) throw new TxError({ code: 'BLOBS_MISSING' })
  const limit = Math.min(rules.blobs?.max ?? 0, rules.txBlobCap ?? Number.MAX_SAFE_INTEGER)
  if (have > limit) throw new TxError({ code: 'TOO_MANY_BLOBS', have, limit })
  for (const hash of tx.blobHashes)
    if (hash[0] !== blobHashVersion) throw new TxError({ code: 'BLOB_HASH_VERSION', have: hash[0]! })
}

/** Checks that need no state: whether the transaction can be valid in any block of these rules. Sender recovery is apart. */
export function validateTx(tx: Tx, rules: Rules, chainId: bigint): void {
  const memo = memoOf(tx)
  // The pool has checked it with the same rules, in nearly every block.
  if (memo.validRules === rules && memo.validChain === chainId) return
  checkTx(tx, rules, chainId)
  memo.validRules = rules
  memo.validChain = chainId
}

function checkTx(tx: Tx, rules: Rules, chainId: bigint): void {
  if (tx.type > rules.maxTxType) throw new TxError({ code: 'TX_TYPE_NOT_SUPPORTED', type: tx.type })
  checkSignature(tx, rules, chainId)
  if (tx.nonce >= maxU64) throw new TxError({ code: 'NONCE_OVERFLOW' })
  if (tx.gasLimit > maxU64) throw new TxError({ code: 'GAS_LIMIT_OUT_OF_RANGE', have: tx.gasLimit })
  if (tx.gasLimit * maxGasPriceOf(tx) > maxU256) throw new TxError({ code: 'GAS_COST_OVERFLOW' })
  if (rules.txGasCap !== undefined && tx.gasLimit > rules.txGasCap)
    throw new TxError({ code: 'GAS_LIMIT_EXCEEDS_CAP', have: tx.gasLimit, cap: rules.txGasCap })
  checkInitCode(tx, rules)
  checkPriorityFee(tx)
  if (tx.type === 3) checkBlobs(tx, rules)
  if (tx.type === 4 && tx.authorizations.length === 0) throw new TxError({ code: 'AUTHORIZATIONS_MISSING' })
  const intrinsic = intrinsicGas(tx, rules)
  if (tx.gasLimit < intrinsic) throw new TxError({ code: 'INTRINSIC_GAS_TOO_LOW', have: tx.gasLimit, want: intrinsic })
  const floor = floorGas(tx, rules)
  if (tx.gasLimit < floor) throw new TxError({ code: 'FLOOR_GAS_TOO_LOW', have: tx.gasLimit, want: floor })
}
