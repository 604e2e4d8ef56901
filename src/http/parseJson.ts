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

function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === backslash) i++
      else if (c === quote) inString = false
    } else if (c === quote) inString = true
    // In ASCII, an opening bracket and an opening brace differ in one bit; so do the closing ones.
    else if ((c | 0x20) === 0x7b) {
      if (++depth > maxDepth) return true
    } else if ((c | 0x20) === 0x7d) depth--
  }
  return false
}
