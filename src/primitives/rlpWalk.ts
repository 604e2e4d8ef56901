/**
 * Follows RLP in place, for rows that this node wrote itself: nothing is decoded, copied or checked for its canonical form. Beyond the
 * end of the data both return NaN, which no comparison finds below an end.
 */

/** Where the content of the item that begins at `at` begins. */
export function rlpContentStart(data: Uint8Array, at: number): number {
  const first = data[at]!
  if (first < 0x80) return at
  if (first < 0xc0) return first < 0xb8 ? at + 1 : at + 1 + (first - 0xb7)
  return first < 0xf8 ? at + 1 : at + 1 + (first - 0xf7)
}

/** Where the item that begins at `at` ends. */
export function rlpEnd(data: Uint8Array, at: number): number {
  const first = data[at]!
  if (first < 0x80) return at + 1
  if (first < 0xb8) return at + 1 + (first - 0x80)
  if (first >= 0xc0 && first < 0xf8) return at + 1 + (first - 0xc0)
  const start = rlpContentStart(data, at)
  let length = 0
  for (let i = at + 1; i < start; i++) length = length * 256 + data[i]!
  return start + length
}
