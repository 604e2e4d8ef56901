/** The `length` bytes at `at`; zeros stand for those beyond the end. A view where none are. */
export function readPadded(input: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length <= input.length) return input.subarray(at, at + length)
  const out = new Uint8Array(length)
  if (at < input.length) out.set(input.subarray(at))
  return out
}
