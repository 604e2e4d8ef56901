/** Bytes that are appended, and numbers in the form that WebAssembly has (LEB128). */
export interface ByteWriter {
  byte(value: number): void
  /** An unsigned integer below 2^32. */
  unsigned(value: number): void
  /** A signed integer of 32 bits. */
  signed(value: number): void
  /** A signed integer of 64 bits. */
  signedBig(value: bigint): void
  append(bytes: Uint8Array): void
  text(value: string): void
  /** A view of what was written so far. */
  written(): Uint8Array
}

/** Creates an empty writer. */
export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(1024)
  let length = 0

  function reserve(more: number): void {
    if (length + more <= bytes.length) return
    const larger = new Uint8Array(Math.max(2 * bytes.length, length + more))
    larger.set(bytes)
    bytes = larger
  }

  function byte(value: number): void {
    if (length === bytes.length) reserve(1)
    bytes[length++] = value
  }

  function unsigned(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    byte(rest)
  }

  function signed(value: number): void {
    let rest = value
    while (rest < -0x40 || rest > 0x3f) {
      byte((rest & 0x7f) | 0x80)
      rest >>= 7
    }
    byte(rest & 0x7f)
  }

  function append(more: Uint8Array): void {
    reserve(more.length)
    bytes.set(more, length)
    length += more.length
  }

  return {
    byte,
    unsigned,
    signed,
    signedBig(value) {
      let rest = value
      while (rest < -0x40n || rest > 0x3fn) {
        byte(Number(rest & 0x7fn) | 0x80)
        rest >>= 7n
      }
      byte(Number(rest & 0x7fn))
    },
    append,
    text(value) {
      unsigned(value.length)
      append(Buffer.from(value))
    },
    written: () => bytes.subarray(0, length),
  }
}
