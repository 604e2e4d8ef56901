/** A long text that is not kept in memory. It can be read once, in one of the two ways. */
export interface StoredText extends Iterable<string> {
  /** Its UTF-8, piece by piece; other work has its turn while a piece is read. */
  readBytes(): AsyncGenerator<Uint8Array>
}

export function isStored(text: Iterable<string>): text is StoredText {
  return 'readBytes' in text
}
