import type { Address, Hash32 } from '../primitives/bytes.ts'
import { type BlobSidecar, sidecarSize } from '../types/blobSidecar.ts'
import { accessListOf, blobHashesOf, type Tx } from '../types/transaction.ts'

/** A transaction in the pool with what the pool knows about it. */
export interface PoolEntry {
  readonly tx: Tx
  readonly hash: Hash32
  readonly sender: Address
  /** Submitted to this node by a user, not received from a peer. */
  readonly local: boolean
  /** Mined before all transactions without priority. */
  readonly priority: boolean
  /** Milliseconds since 1970. */
  readonly addedAt: number
  /** Sequence number of its arrival. */
  readonly arrival: number
  /** Maximum amount in wei that the transaction can cost its sender. */
  readonly cost: bigint
  /** Bytes that it takes of the pool's limit. */
  readonly size: number
  /** Also undefined for a blob transaction from a block that a reorg removed: it can be mined but not sent to peers. */
  readonly sidecar: BlobSidecar | undefined
}

/** Approximate size of a transaction's signature, numbers and addresses. */
const fixedSize = 120
const authorizationSize = 120

/** Returns the approximate encoded size of a transaction and its sidecar. */
export function sizeOf(tx: Tx, sidecar: BlobSidecar | undefined): number {
  let size = fixedSize + tx.data.length + 32 * blobHashesOf(tx).length
  for (const { slots } of accessListOf(tx)) size += 22 + 33 * slots.length
  if (tx.type === 4) size += authorizationSize * tx.authorizations.length
  return sidecar ? size + sidecarSize(sidecar) : size
}
