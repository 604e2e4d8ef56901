/** Text of an id; undefined if there is none. */
export type IdText = string | undefined

/** The id of a call or a reply as JSON text; undefined if there is no valid one. */
export function idTextOf(id: unknown, numberText: IdText): IdText {
  if (typeof id === 'number') return numberText === undefined ? String(id) : echoNumber(numberText)
  if (typeof id === 'string') return JSON.stringify(id)
  return id === null ? 'null' : undefined
}

/** The id of the call or reply whose text is given, too; undefined if there is no valid one. */
export function idOf(json: unknown, text: string): IdText {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  return idTextOf(id, typeof id === 'number' ? numberIdOf(text) : undefined)
}

/** The numeric id of one call or reply as it is written, if JSON.parse may change it. */
export function numberIdOf(text: string): IdText {
  return hasFragileId(text) ? numberIds(text)[0] : undefined
}

/** Numeric ids that JSON.parse would change: fractions, exponents, more digits than a double holds. */
const fragile = /"id"\s*:\s*-?(?:\d+[.eE]|\d{16})/

/** Whether numeric ids must be read from the text of the request, because JSON.parse may change them. */
export function hasFragileId(text: string): boolean {
  return fragile.test(text)
}

/**
 * Returns the text of the numeric id of a request, or of each call of a batch, in order; undefined for calls without one.
 * The text must be valid JSON.
 */
export function numberIds(text: string): IdText[] {
  const batch = text[skipBlanks(text, 0)] === '['
  const ids: IdText[] = []
  const objectDepth = batch ? 2 : 1
  let depth = 0
  let id: string | undefined
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (c === '"') {
      const end = endOfString(text, at)
      if (isKey && depth === objectDepth && text.slice(at, end) === '"id"') {
        const from = skipBlanks(text, skipBlanks(text, end) + 1)
        id = /^-?[0-9][0-9.eE+-]*/.exec(text.slice(from, from + 1000))?.[0]
      }
      if (batch && depth === 1) ids.push(undefined)
      isKey = false
      at = end - 1
    } else if (c === '{' || c === '[') {
      depth++
      isKey = c === '{'
      if (depth === objectDepth) id = undefined
    } else if (c === '}' || c === ']') {
      if (depth === objectDepth) ids.push(c === '}' ? id : undefined)
      depth--
    } else if (c === ',') isKey = depth === objectDepth
    else if (batch && depth === 1 && /[^\s]/.test(c)) {
      // A batch may contain scalars: invalid calls, but they count.
      ids.push(undefined)
      while (at + 1 < text.length && !/[,\]]/.test(text[at + 1]!)) at++
    }
  }
  return ids
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at
}

/** Position behind the closing quote of the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** The text of an id in the reply: integers are unchanged, others are printed as Java prints a double. */
export function echoNumber(text: string): string {
  if (!/[.eE]/.test(text)) return text
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return withFraction(String(value))
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  return `${withFraction(mantissa)}E${Number(exponent)}`
}

function withFraction(digits: string): string {
  return digits.includes('.') ? digits : `${digits}.0`
}
