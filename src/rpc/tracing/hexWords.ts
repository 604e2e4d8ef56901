/** Words of 32 bytes that are kept as the JSON text of an array's items, ready to be copied. */
export interface HexWords {
  /** Bytes of the text. */
  size(): number
  push(from: Uint8Array, at: number, length: number): void
  drop(count: number): void
  /** Puts a copy of the word at that place, 1 being the uppermost, on top. */
  duplicate(place: number): void
  /** Exchanges the uppermost word with the one that many below it. */
  swap(below: number): void
  resize(words: number): void
  /** Writes bytes across words, counted from the first one's first byte. */
  write(offset: number, from: Uint8Array, at: number, length: number): void
  /** Bytes that it took. */
  copyTo(target: Buffer, at: number): number
}

/** A quote, 64 digits, a quote and a comma. */
const itemBytes = 67
const quote = 0x22
const comma = 0x2c
const zero = 0x30
const digits = Buffer.from('0123456789abcdef')
const high = Uint8Array.from({ length: 256 }, (_, byte) => digits[byte >> 4]!)
const low = Uint8Array.from({ length: 256 }, (_, byte) => digits[byte & 15]!)

export function createHexWords(): HexWords {
  let text = Buffer.allocUnsafe(16 * itemBytes)
  let count = 0

  function grow(words: number): void {
    if (words * itemBytes <= text.length) return
    const larger = Buffer.allocUnsafe(Math.max(words, 2 * count) * itemBytes)
    text.copy(larger, 0, 0, count * itemBytes)
    text = larger
  }

  /** A word of zeros. */
  function blank(at: number): void {
    text[at] = quote
    text.fill(zero, at + 1, at + 65)
    text[at + 65] = quote
    text[at + 66] = comma
  }

  function put(to: number, byte: number): void {
    text[to] = high[byte]!
    text[to + 1] = low[byte]!
  }

  function resize(words: number): void {
    grow(words)
    for (let i = count; i < words; i++) blank(i * itemBytes)
    count = words
  }

  return {
    size: () => count * itemBytes,
    push(from, at, length) {
      grow(count + 1)
      const item = count++ * itemBytes
      blank(item)
      let to = item + 65 - 2 * length
      for (let i = 0; i < length; i++, to += 2) put(to, from[at + i]!)
    },
    drop(words) {
      count = Math.max(0, count - words)
    },
    duplicate(place) {
      grow(count + 1)
      text.copyWithin(count * itemBytes, (count - place) * itemBytes, (count - place + 1) * itemBytes)
      count++
    },
    swap(below) {
      const upper = (count - 1) * itemBytes
      const lower = upper - below * itemBytes
      const kept = text.toString('latin1', upper, upper + itemBytes)
      text.copyWithin(upper, lower, lower + itemBytes)
      text.write(kept, lower, 'latin1')
    },
    resize,
    write(offset, from, at, length) {
      const words = Math.ceil((offset + length) / 32)
      if (words > count) resize(words)
      for (let i = 0; i < length; i++) {
        const where = offset + i
        put(Math.floor(where / 32) * itemBytes + 1 + 2 * (where % 32), from[at + i]!)
      }
    },
    copyTo(target, at) {
      if (count === 0) return 0
      const length = count * itemBytes - 1
      target.set(text.subarray(0, length), at)
      return length
    },
  }
}
