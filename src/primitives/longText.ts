/** A long text that is not kept in memory. It can be read once, in one of the two ways. */
export interface StoredText extends Iterable<string> {
  /** Its UTF-8, piece by piece; other work has its turn while a piece is read. */
  readBytes(): AsyncGenerator<Uint8Array>
}

/** A long text whose UTF-8 is kept, because it is sent often. */
export interface EncodedText extends Iterable<string> {
  readonly parts: readonly Uint8Array[]
}

export function isStored(text: Iterable<string>): text is StoredText {
  return 'readBytes' in text
}

export function isEncoded(text: Iterable<string>): text is EncodedText {
  return 'parts' in text
}

/** The text whose UTF-8 these parts are; none of them begins within a character. */
export function encodedText(...parts: readonly Uint8Array[]): EncodedText {
  return {
    parts,
    *[Symbol.iterator]() {
      for (const part of parts) yield Buffer.from(part.buffer, part.byteOffset, part.length).toString()
    },
  }
}
