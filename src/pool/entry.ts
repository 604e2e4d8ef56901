import type { Address, Hash32 } from '../primitives/bytes.ts'
import { type BlobSidecar, sidecarSize } from '../types/blobSidecar.ts'
import { accessListOf, blobHashesOf, type Tx } from '../types/transaction.ts'

/** A transaction in the pool with what the pool knows about it. */
export interface PoolEntry {
  readonly tx: Tx
  readonly hash: Hash32
  readonly sender: Address
  /** Given to this node by a user, not by a peer. */
  readonly local: boolean
  /** Goes before all that have no priority. */
  readonly priority: boolean
  /** Milliseconds since 1970. */
  readonly addedAt: number
  /** Rises from entry to entry. */
  readonly arrival: number
  /** Most that the transaction may take from its sender. */
  readonly cost: bigint
  /** Bytes that it counts for. */
  readonly size: number
  /** Undefined too for a blob transaction that a reorg took out of a block: it can be mined, not handed on. */
  readonly sidecar: BlobSidecar | undefined
}

/** Signature, numbers and addresses of a transaction, about. */
const fixedSize = 120
const authorizationSize = 120

/** Encoded length of a transaction and its sidecar, near enough to share out memory. */
export function sizeOf(tx: Tx, sidecar: BlobSidecar | undefined): number {
  let size = fixedSize + tx.data.length + 32 * blobHashesOf(tx).length
  for (const { slots } of accessListOf(tx)) size += 22 + 33 * slots.length
  if (tx.type === 4) size += authorizationSize * tx.authorizations.length
  return sidecar ? size + sidecarSize(sidecar) : size
}
