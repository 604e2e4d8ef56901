// Node's declarations leave these two out. A Buffer over a small array, which is the documented way, makes the engine move
// that array out of its heap for good, at several times the cost in time and in memory.
const { latin1Slice, hexSlice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, start: number, end: number): string
  hexSlice(this: Uint8Array, start: number, end: number): string
}

/** One code unit per byte. */
export function latin1Of(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length)
}

/** Two lower-case digits per byte, without prefix. */
export function hexDigitsOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length)
}
