/** What Besu's parser skips before a document: a byte order mark, whitespace, comments. */
const preamble = /^\uFEFF?(?:\s+|\/\*[\s\S]*?\*\/)*/

/** Maximum nesting of a long text: millions of levels would keep the parser busy for seconds. */
const maxDepth = 1000
const longText = 1 << 16

/** Returns the value of a JSON text, or undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  if (text.length > longText && isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return parseBehindPreamble(text)
  }
}

function parseBehindPreamble(text: string): unknown {
  const length = preamble.exec(text)![0].length
  if (length === 0) return undefined
  try {
    return JSON.parse(text.slice(length))
  } catch {
    return undefined
  }
}

const quote = 0x22
const backslash = 0x5c

/** The place of the quotation mark that ends the string which begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  // Nearly all of a long text is in strings, which are searched faster than read.
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) i = endOfString(text, i)
    // In ASCII, an opening bracket and an opening brace differ in one bit; so do the closing ones.
    else if ((c | 0x20) === 0x7b) {
      if (++depth > maxDepth) return true
    } else if ((c | 0x20) === 0x7d) depth--
  }
  return false
}
