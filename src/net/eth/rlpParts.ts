import { decodeRlp, RlpError, type RlpItem, rlpItemEnd } from '../../primitives/rlp.ts'
import { badMessage } from './fault.ts'

/** More items than any honest message of that length has. Each of them takes far more memory than its bytes. */
const maxItems = (bytes: number) => 64 + bytes / 4

/** The encoded members of an encoded list, as views: what is not needed is never decoded. More than `most` are a fault. */
export function rlpParts(data: Uint8Array, max = maxItems(data.length)): Uint8Array[] {
  const first = data[0] ?? 0
  if (first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  const end = rlpItemEnd(data, 0)
  if (end !== data.length) throw new RlpError({ code: 'RLP_TRAILING_BYTES', at: end })
  const parts: Uint8Array[] = []
  let at = first <= 0xf7 ? 1 : first - 0xf6
  while (at < end) {
    if (parts.length >= max) throw badMessage(`a list of more than ${Math.floor(max)}`)
    const next = rlpItemEnd(data, at)
    parts.push(data.subarray(at, next))
    at = next
  }
  return parts
}

/** The same for a list of a known length. */
export function rlpPartsOf(data: Uint8Array, length: number): Uint8Array[] {
  const parts = rlpParts(data, length)
  if (parts.length !== length) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: length, have: parts.length })
  return parts
}

/** Decodes what a peer sent. A message that is nothing but tiny items is refused before any of them is made. */
export function decodeSparse(data: Uint8Array): RlpItem {
  let left = maxItems(data.length)
  for (let at = 0; at < data.length; at = nextItem(data, at))
    if (--left < 0) throw badMessage(`more items than ${data.length} bytes may hold`)
  return decodeRlp(data)
}

/** Where the next item begins, of those inside lists as well; decoding finds out whether all of them are well formed. */
function nextItem(data: Uint8Array, at: number): number {
  const first = data[at]!
  if (first < 0x80) return at + 1
  if (first < 0xb8) return at + first - 0x7f
  if (first < 0xc0) return rlpItemEnd(data, at)
  return first < 0xf8 ? at + 1 : at + first - 0xf6
}
