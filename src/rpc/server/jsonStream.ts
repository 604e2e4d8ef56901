/** Cuts a stream of bytes into the JSON values that follow each other in it, with or without white space between them. */
export interface JsonStream {
  /** Takes bytes; returns the texts of the values that are complete. Throws a JsonStreamError if no value can follow. */
  push(chunk: Buffer): string[]
}

/** What comes is not a stream of objects and arrays, or one of them is too long. */
export class JsonStreamError extends Error {}

const [quote, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Creates a stream whose values have `maxLength` bytes at most. Whether they are JSON is for the one who parses them. */
export function createJsonStream(maxLength: number): JsonStream {
  /** What has come of a value before the present chunk. */
  let before: Buffer[] = []
  let length = 0
  let depth = 0
  let isText = false
  let isEscaped = false

  /** Moves on by one byte; returns whether a value ends with it. */
  function step(byte: number): boolean {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) isText = false
      return false
    }
    if (byte === quote) isText = true
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) return --depth === 0
    return false
  }

  function keep(piece: Buffer): void {
    length += piece.length
    if (length > maxLength) throw new JsonStreamError(`a request is longer than ${maxLength} bytes`)
    before.push(piece)
  }

  function take(): string {
    const text = (before.length === 1 ? before[0]! : Buffer.concat(before)).toString()
    before = []
    length = 0
    return text
  }

  return {
    push(chunk) {
      const values: string[] = []
      let start = 0
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!
        if (depth === 0) {
          // White space between values.
          if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) continue
          if (byte !== openBrace && byte !== openBracket)
            throw new JsonStreamError('a request is an object or an array')
          start = i
        }
        if (!step(byte)) continue
        keep(chunk.subarray(start, i + 1))
        values.push(take())
      }
      if (depth > 0) keep(chunk.subarray(start))
      return values
    },
  }
}
