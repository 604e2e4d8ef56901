/** What Besu's parser passes over in front of a document: a byte order mark, blanks, comments. */
const preamble = /^\uFEFF?(?:\s+|\/\*[\s\S]*?\*\/)*/

/** The JSON value of a text, or undefined when it is none. */
export function parseJson(text: string): unknown {
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
