import { concatBytes } from '../primitives/bytes.ts'
import { refusals } from './fault.ts'

// Tessera's encodings consist of numbers of 8 bytes, and of bytes with their length in front.

function encodeCount(count: number): Uint8Array {
  const out = new Uint8Array(8)
  new DataView(out.buffer).setUint32(4, count)
  return out
}

/** A field: its length, then its bytes. */
export function field(bytes: Uint8Array): Uint8Array {
  return concatBytes(encodeCount(bytes.length), bytes)
}

/** A field of text in UTF-8. */
export function textField(text: string): Uint8Array {
  return field(new TextEncoder().encode(text))
}

/** A list: how many, then each as a field. */
export function listField(items: readonly Uint8Array[]): Uint8Array {
  return concatBytes(encodeCount(items.length), ...items.map(field))
}

/** A number of items that the caller writes itself. */
export const countField = encodeCount

/** Reads fields one at a time; whatever does not fit is refused. */
export interface FieldReader {
  count(): number
  field(): Uint8Array
  text(): string
  list(): Uint8Array[]
  isAtEnd(): boolean
}

export function createFieldReader(bytes: Uint8Array): FieldReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  /** A number of bytes, or of things that take a byte at least: never more than what is left. */
  function count(): number {
    if (bytes.length - at < 8) throw refusals.invalid('it ends too early')
    const value = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
    at += 8
    if (value > bytes.length - at) throw refusals.invalid('a length is too large')
    return value
  }

  function take(): Uint8Array {
    const length = count()
    return bytes.slice(at, (at += length))
  }

  return {
    count,
    field: take,
    text: () => new TextDecoder().decode(take()),
    list: () => Array.from({ length: count() }, take),
    isAtEnd: () => at === bytes.length,
  }
}
