import { RlpError, rlpEncodedItems, rlpItemEnd } from './rlp.ts'

/** Splits an encoded list into its members, still encoded, so that signed parts can be hashed as they were sent. */
export function rlpMembers(bytes: Uint8Array, count?: number): readonly Uint8Array[] {
  if (rlpItemEnd(bytes, 0) !== bytes.length) throw new RlpError({ code: 'RLP_TRAILING_BYTES', at: bytes.length })
  const members = rlpEncodedItems(bytes, 0)
  if (count !== undefined && members.length !== count)
    throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: count, have: members.length })
  return members
}
