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

/** The text of the words, one item behind another, in memory that grows. */
class HexText implements HexWords {
  private text = Buffer.allocUnsafe(16 * itemBytes)
  private count = 0

  private grow(words: number): void {
    if (words * itemBytes <= this.text.length) return
    const larger = Buffer.allocUnsafe(Math.max(words, 2 * this.count) * itemBytes)
    this.text.copy(larger, 0, 0, this.count * itemBytes)
    this.text = larger
  }

  /** A word of zeros. */
  private blank(at: number): void {
    this.text[at] = quote
    this.text.fill(zero, at + 1, at + 65)
    this.text[at + 65] = quote
    this.text[at + 66] = comma
  }

  private put(to: number, byte: number): void {
    this.text[to] = high[byte]!
    this.text[to + 1] = low[byte]!
  }

  readonly resize = (words: number): void => {
    this.grow(words)
    for (let i = this.count; i < words; i++) this.blank(i * itemBytes)
    this.count = words
  }

  readonly size: HexWords['size'] = () => this.count * itemBytes

  readonly push: HexWords['push'] = (from, at, length) => {
    this.grow(this.count + 1)
    const item = this.count++ * itemBytes
    this.blank(item)
    let to = item + 65 - 2 * length
    for (let i = 0; i < length; i++, to += 2) this.put(to, from[at + i]!)
  }

  readonly drop: HexWords['drop'] = (words) => {
    this.count = Math.max(0, this.count - words)
  }

  readonly duplicate: HexWords['duplicate'] = (place) => {
    this.grow(this.count + 1)
    this.text.copyWithin(this.count * itemBytes, (this.count - place) * itemBytes, (this.count - place + 1) * itemBytes)
    this.count++
  }

  readonly swap: HexWords['swap'] = (below) => {
    const upper = (this.count - 1) * itemBytes
    const lower = upper - below * itemBytes
    const kept = this.text.toString('latin1', upper, upper + itemBytes)
    this.text.copyWithin(upper, lower, lower + itemBytes)
    this.text.write(kept, lower, 'latin1')
  }

  readonly write: HexWords['write'] = (offset, from, at, length) => {
    const words = Math.ceil((offset + length) / 32)
    if (words > this.count) this.resize(words)
    for (let i = 0; i < length; i++) {
      const where = offset + i
      this.put(Math.floor(where / 32) * itemBytes + 1 + 2 * (where % 32), from[at + i]!)
    }
  }

  readonly copyTo: HexWords['copyTo'] = (target, at) => {
    if (this.count === 0) return 0
    const length = this.count * itemBytes - 1
    target.set(this.text.subarray(0, length), at)
    return length
  }
}

export function createHexWords(): HexWords {
  return new HexText()
}
