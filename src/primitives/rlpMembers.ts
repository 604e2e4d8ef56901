import { RlpError, rlpItemEnd } from './rlp.ts'

/** Splits an encoded list into its members, still encoded, so that signed parts can be hashed as they were sent. */
export function rlpMembers(bytes: Uint8Array, count?: number): readonly Uint8Array[] {
  if (rlpItemEnd(bytes, 0) !== bytes.length) throw new RlpError({ code: 'RLP_TRAILING_BYTES', at: bytes.length })
  const first = bytes[0]!
  if (first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  const members: Uint8Array[] = []
  let at = first > 0xf7 ? first - 0xf6 : 1
  while (at < bytes.length) {
    const end = rlpItemEnd(bytes, at)
    members.push(bytes.subarray(at, end))
    at = end
  }
  if (count !== undefined && members.length !== count)
    throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: count, have: members.length })
  return members
}
