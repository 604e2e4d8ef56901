import { decodeRlp, RlpError, type RlpItem, rlpItemEnd } from '../../primitives/rlp.ts'
import { badMessage } from './fault.ts'

/** Maximum items in a message of that length; each decoded item takes far more memory than its bytes. */
const maxItems = (bytes: number) => 64 + bytes / 4

/** Splits an encoded list into its encoded items, as views; throws if there are more than `max`. */
export function rlpParts(data: Uint8Array, max = maxItems(data.length)): Uint8Array[] {
  const first = data[0] ?? 0
  if (first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  const end = rlpItemEnd(data, 0)
  if (end !== data.length) throw new RlpError({ code: 'RLP_TRAILING_BYTES', at: end })
  const parts: Uint8Array[] = []
  let at = first <= 0xf7 ? 1 : first - 0xf6
  while (at < end) {
    if (parts.length >= max) throw badMessage(`list of more than ${Math.floor(max)} items`)
    const next = rlpItemEnd(data, at)
    parts.push(data.subarray(at, next))
    at = next
  }
  return parts
}

/** Splits an encoded list of exactly `length` items. */
export function rlpPartsOf(data: Uint8Array, length: number): Uint8Array[] {
  const parts = rlpParts(data, length)
  if (parts.length !== length) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: length, have: parts.length })
  return parts
}

/** Decodes RLP from a peer; throws before decoding if the message has too many small items. */
export function decodeSparse(data: Uint8Array): RlpItem {
  return decodeRlp(checkSparse(data))
}

/** Returns RLP from a peer as it is; throws if it has too many small items to be decoded. */
export function checkSparse(data: Uint8Array): Uint8Array {
  let left = maxItems(data.length)
  for (let at = 0; at < data.length; at = nextItem(data, at))
    if (--left < 0) throw badMessage(`too many items in ${data.length} bytes`)
  return data
}

/** Offset of the next item, including items inside lists; does not check that items are well formed. */
function nextItem(data: Uint8Array, at: number): number {
  const first = data[at]!
  if (first < 0x80) return at + 1
  if (first < 0xb8) return at + first - 0x7f
  if (first < 0xc0) return rlpItemEnd(data, at)
  return first < 0xf8 ? at + 1 : at + first - 0xf6
}
