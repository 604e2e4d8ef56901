import type { Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeRlp, encodeRlp, RlpError, rlpBytes } from '../../primitives/rlp.ts'
import { type BlobSidecar, decodeNetworkTx, encodeNetworkTx, type NetworkTx } from '../../types/blobSidecar.ts'
import { rememberTxBytes } from '../../types/encodeTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { maxSizeOf, maxTxSize } from '../../types/txSize.ts'
import { checkSparse } from './rlpParts.ts'

/** A transaction as an item of a message: legacy as a list, typed as a byte string. */
export function txToPart(tx: Tx, sidecar: BlobSidecar | undefined): Uint8Array {
  const bytes = encodeNetworkTx(tx, sidecar)
  return tx.type === 0 ? bytes : encodeRlp(bytes)
}

/** Bytes from which on it is counted how many items a transaction has before it is decoded. */
const large = 1 << 17

/** Whether the transaction is larger than any that the pool takes: it need not be decoded. */
export function isTooLarge(part: Uint8Array): boolean {
  if (part.length <= maxTxSize) return false
  const bytes = bytesOfPart(part)
  return bytes.length > maxSizeOf(bytes[0]!)
}

/** The encoded transaction, a view into the item. */
function bytesOfPart(part: Uint8Array): Uint8Array {
  if (part[0]! >= 0xc0) return part
  const bytes = rlpBytes(decodeRlp(part))
  // A legacy transaction must not be a byte string.
  if (bytes.length === 0 || bytes[0]! >= 0x80) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  return bytes
}

/** Hash of an encoded transaction without blobs, without decoding it. */
export function txHashOfPart(part: Uint8Array): Hash32 {
  return keccak256(bytesOfPart(part))
}

/** Decodes a transaction; `hash` is that of its bytes, if it is known. */
export function txFromPart(part: Uint8Array, hash?: Hash32): NetworkTx {
  const bytes = bytesOfPart(part)
  if (bytes.length > large) checkSparse(bytes)
  const network = decodeNetworkTx(bytes, hash)
  // The message's buffer is reused.
  if (!network.sidecar) rememberTxBytes(network.tx, bytes.slice())
  return network
}
