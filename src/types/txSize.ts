/**
 * Bytes of a transaction that nodes take from users and send each other. It is more than JSON-RPC lets in by default, as Besu has no
 * limit of its own; half a block, so that two senders get theirs; and with others beside it less than any message carries.
 */
export const maxTxSize = 4 << 20
/** The same of one that brings its blobs, which are no part of a block. */
const maxBlobTxSize = 8 << 20

const blobType = 3

/** Bytes that a transaction of this type may have on its way to other nodes. */
export function maxSizeOf(type: number): number {
  return type === blobType ? maxBlobTxSize : maxTxSize
}
