import { RlpError, rlpItemEnd } from '../../primitives/rlp.ts'

/** The encoded members of an encoded list, as views: what is not needed is never decoded. */
export function rlpParts(data: Uint8Array): Uint8Array[] {
  const first = data[0] ?? 0
  if (first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  const end = rlpItemEnd(data, 0)
  if (end !== data.length) throw new RlpError({ code: 'RLP_TRAILING_BYTES', at: end })
  const parts: Uint8Array[] = []
  let at = first <= 0xf7 ? 1 : first - 0xf6
  while (at < end) {
    const next = rlpItemEnd(data, at)
    parts.push(data.subarray(at, next))
    at = next
  }
  return parts
}

/** The same for a list of a known length. */
export function rlpPartsOf(data: Uint8Array, length: number): Uint8Array[] {
  const parts = rlpParts(data)
  if (parts.length !== length) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: length, have: parts.length })
  return parts
}
