import { isDelegation } from '../execution/authorizations.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import { emptyAccount } from '../types/account.ts'
import { type BlobSidecar, encodeNetworkTx } from '../types/blobSidecar.ts'
import { chainIdOf, maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { maxSizeOf } from '../types/txSize.ts'
import { findBlobMistake } from './blobs.ts'
import type { PoolFault } from './fault.ts'
import type { PoolOptions } from './options.ts'
import type { PermissionVerdict, PoolAccount, PoolHead, PoolPorts } from './ports.ts'

/** Minimum gas price of a transaction with priority on a network with a base fee: the base fee of an idle chain. */
const priceFloor = 7n

/** Checks the price; the first of all checks, as in Besu. */
export function findPriceFault(
  tx: Tx,
  from: { readonly local: boolean; readonly priority: boolean },
  { feeCap, remoteFeeCap }: PoolOptions,
  ports: PoolPorts,
): PoolFault | undefined {
  const have = maxGasPriceOf(tx)
  if (from.local && feeCap !== 0n && have > feeCap) return { code: 'TX_FEECAP_EXCEEDED', have, cap: feeCap }
  if (!from.local && remoteFeeCap !== undefined && have > remoteFeeCap)
    return { code: 'TX_FEECAP_EXCEEDED', have, cap: remoteFeeCap }
  const { enabled, minGasPrice } = ports.mining()
  const exempt = from.priority && enabled
  const floor = ports.head().baseFee ? priceFloor : 0n
  const minimum = exempt ? floor : minGasPrice
  return have < minimum ? { code: 'GAS_PRICE_TOO_LOW', have, minimum } : undefined
}

/** Checks the size on the way to other nodes: what they refuse is not taken from anybody. */
export function findSizeFault(tx: Tx, sidecar: BlobSidecar | undefined): PoolFault | undefined {
  const have = encodeNetworkTx(tx, sidecar).length
  const limit = maxSizeOf(tx.type)
  return have > limit ? { code: 'TX_TOO_LARGE', have, limit } : undefined
}

/** Checks replay protection and the block gas limit, which depend on this node and the head but not on the sender. */
export function findHeadFault(
  tx: Tx,
  priority: boolean,
  { strictReplayProtection }: PoolOptions,
  { rules, gasLimit }: PoolHead,
): PoolFault | undefined {
  if (strictReplayProtection && priority && rules.replayProtection && chainIdOf(tx) === undefined)
    return { code: 'REPLAY_PROTECTED_SIGNATURE_REQUIRED' }
  if (tx.gasLimit > gasLimit) return { code: 'EXCEEDS_BLOCK_GAS_LIMIT', have: tx.gasLimit, limit: gasLimit }
  return undefined
}

/** What the answer of account permissioning means; it is asked before balance and nonce are looked at. */
export function findPermissionFault(verdict: PermissionVerdict = 'allowed'): PoolFault | undefined {
  if (verdict === 'allowed') return undefined
  if (verdict === 'unclear') return { code: 'PERMISSIONS_UNCLEAR' }
  return { code: 'TX_SENDER_NOT_AUTHORIZED', why: 'permissions' }
}

export function accountOf(head: PoolHead, address: Address): PoolAccount {
  return head.account(address) ?? emptyAccount
}

/** Checks that the sender has no code (EIP-3607) other than a delegation. */
export function findCodeFault({ codeHash }: PoolAccount, head: PoolHead): PoolFault | undefined {
  const sends = head.rules.contractsMaySend || equalBytes(codeHash, emptyCodeHash) || isDelegation(head.code(codeHash))
  return sends ? undefined : { code: 'TX_SENDER_NOT_AUTHORIZED', why: 'code' }
}

export function findBalanceFault(cost: bigint, { balance }: PoolAccount): PoolFault | undefined {
  return cost > balance ? { code: 'UPFRONT_COST_EXCEEDS_BALANCE', have: balance, want: cost } : undefined
}

/** Checks that the nonce is not below the account's; a higher one waits for those in between. */
export function findNonceFault({ nonce: have }: Tx, { nonce: want }: PoolAccount): PoolFault | undefined {
  return have < want ? { code: 'NONCE_TOO_LOW', have, want } : undefined
}

/** Checks the sidecar of a blob transaction: the last check, because it is expensive. */
export function findSidecarFault(
  tx: Tx,
  sidecar: BlobSidecar | undefined,
  { rules }: PoolHead,
  ports: PoolPorts,
): PoolFault | undefined {
  if (tx.type !== 3) return undefined
  if (!sidecar) return { code: 'INVALID_BLOBS', why: 'sidecar missing' }
  const why = findBlobMistake(tx, sidecar, rules)
  if (why) return { code: 'INVALID_BLOBS', why }
  return ports.proves?.(sidecar) === false ? { code: 'INVALID_BLOBS', why: 'proof' } : undefined
}
