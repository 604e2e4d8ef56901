/** Returns the `length` bytes at `at`, padded with zeros beyond the end; a view if no padding is needed. */
export function readPadded(input: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length <= input.length) return input.subarray(at, at + length)
  const out = new Uint8Array(length)
  if (at < input.length) out.set(input.subarray(at))
  return out
}
