import { refusals } from './fault.ts'

/** The part of CBOR (RFC 8949) that payloads use: unsigned integers, byte strings, texts, lists, and maps with texts as keys. */
export type CborValue = number | Uint8Array | string | readonly CborValue[] | ReadonlyMap<string, CborValue>

const major = { unsigned: 0, bytes: 2, text: 3, list: 4, map: 5 } as const

/** Nesting of a payload: a list in a map. */
const maxDepth = 4

/** Encodes a value as pieces to be joined. */
export function encodeCbor(value: CborValue): Uint8Array[] {
  if (typeof value === 'number') return [head(major.unsigned, value)]
  if (value instanceof Uint8Array) return [head(major.bytes, value.length), value]
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value)
    return [head(major.text, bytes.length), bytes]
  }
  if (value instanceof Map)
    return [head(major.map, value.size), ...[...value].flatMap(([k, v]) => [...encodeCbor(k), ...encodeCbor(v)])]
  const list = value as readonly CborValue[]
  return [head(major.list, list.length), ...list.flatMap(encodeCbor)]
}

function head(kind: number, n: number): Uint8Array {
  if (n < 24) return Uint8Array.of((kind << 5) | n)
  if (n < 0x100) return Uint8Array.of((kind << 5) | 24, n)
  if (n < 0x10000) return Uint8Array.of((kind << 5) | 25, n >>> 8, n)
  return Uint8Array.of((kind << 5) | 26, n >>> 24, n >>> 16, n >>> 8, n)
}

/** Decodes one value that takes all of the bytes; lists and maps may be of indefinite length. */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  function need(length: number): number {
    if (bytes.length - at < length) throw refusals.invalid('it ends too early')
    const from = at
    at += length
    return from
  }

  function number(info: number): number {
    if (info < 24) return info
    if (info === 24) return view.getUint8(need(1))
    if (info === 25) return view.getUint16(need(2))
    if (info === 26) return view.getUint32(need(4))
    if (info === 27) {
      const from = need(8)
      return view.getUint32(from) * 2 ** 32 + view.getUint32(from + 4)
    }
    throw refusals.invalid('this CBOR is not supported')
  }

  function items(info: number, read: () => void): void {
    if (info !== 31) {
      // Each item takes a byte at least, so that a large number ends with the bytes.
      for (let left = number(info); left > 0; left--) read()
      return
    }
    while (view.getUint8(need(1)) !== 0xff) {
      at--
      read()
    }
  }

  function value(depth: number): CborValue {
    if (depth > maxDepth) throw refusals.invalid('it is nested too deeply')
    const first = view.getUint8(need(1))
    const info = first & 31
    switch (first >>> 5) {
      case major.unsigned:
        return number(info)
      case major.bytes: {
        const length = number(info)
        return bytes.slice(need(length), at)
      }
      case major.text: {
        const length = number(info)
        return new TextDecoder().decode(bytes.subarray(need(length), at))
      }
      case major.list: {
        const list: CborValue[] = []
        items(info, () => list.push(value(depth + 1)))
        return list
      }
      case major.map: {
        const map = new Map<string, CborValue>()
        items(info, () => {
          const key = value(depth + 1)
          if (typeof key !== 'string') throw refusals.invalid('a key is not a text')
          map.set(key, value(depth + 1))
        })
        return map
      }
      default:
        throw refusals.invalid('this CBOR is not supported')
    }
  }

  const whole = value(0)
  if (at !== bytes.length) throw refusals.invalid('something follows')
  return whole
}
