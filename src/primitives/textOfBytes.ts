// Node's declarations lack these two. The documented way, a Buffer over the array, makes V8 move a small array out of its
// heap for good, at several times the cost in time and memory.
const { latin1Slice, hexSlice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, start: number, end: number): string
  hexSlice(this: Uint8Array, start: number, end: number): string
}

/** Returns the bytes, or some of them, as a string of one code unit per byte. */
export function latin1Of(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return latin1Slice.call(bytes, start, end)
}

/** Returns the bytes as lower-case hex without prefix. */
export function hexDigitsOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length)
}
