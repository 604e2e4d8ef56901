/** An array of strings in the text of a TOML file, by the positions of its parts. */
interface ArrayText {
  readonly items: readonly ItemText[]
  /** Position of the closing bracket. */
  readonly end: number
}

interface ItemText {
  readonly from: number
  readonly to: number
  /** Position after the comma that follows, if one does. */
  afterComma?: number
}

/** A change of an array: indices of items to remove, and strings to add at the end. */
export interface ArrayChange {
  readonly removed: readonly number[]
  readonly added: readonly string[]
}

/**
 * Changes an array of strings at the top level of a TOML text, which must be valid, and nothing else: comments, order and
 * layout stay. Undefined if the text has no such array.
 */
export function editArray(text: string, key: string, { removed, added }: ArrayChange): string | undefined {
  const array = findArray(text, key)
  if (!array) return undefined
  // From the end, so that the positions before stay valid.
  const last = [...removed].sort((a, b) => b - a)
  const cutOut = last.reduce((edited, index) => cut(edited, array.items[index]!), text)
  const shorter = array.items.at(-1)?.afterComma === undefined ? withoutLastComma(cutOut, key) : cutOut
  return append(shorter, findArray(shorter, key)!, added.map(quote))
}

/** Removes the comma right after the last item. */
function withoutLastComma(text: string, key: string): string {
  const last = findArray(text, key)?.items.at(-1)
  return last && last.afterComma === last.to + 1 ? text.slice(0, last.to) + text.slice(last.afterComma) : text
}

/** A TOML string: printable ASCII as it is, everything else escaped. */
function quote(value: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${value.replace(/[^ !#-[\]-~]/g, escaped)}"`
}

function append(text: string, { items, end }: ArrayText, added: readonly string[]): string {
  if (added.length === 0) return text
  const last = items.at(-1)
  if (!last) return insert(text, end, added.join(','))
  const lineStart = text.lastIndexOf('\n', last.from) + 1
  const indent = text.slice(lineStart, last.from)
  if (/\S/.test(indent)) {
    const to = last.afterComma ?? last.to
    return insert(text, to, (last.afterComma ? '' : ',') + added.join(','))
  }
  const to = lineEnd(text, last.afterComma ?? last.to)
  const lines = added.map((item) => `\n${indent}${item}`).join(',') + (last.afterComma ? ',' : '')
  const longer = insert(text, to, lines)
  return last.afterComma ? longer : insert(longer, last.to, ',')
}

function insert(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at)
}

/** The end of the line, or the closing bracket if that comes first. */
function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '\n' || letter === ']') return letter === '\n' && text[at - 1] === '\r' ? at - 1 : at
    if (letter === '#') return skipComment(text, at)
  }
  return text.length
}

/** Removes an item with its comma, and its line if nothing else is on it. */
function cut(text: string, { from, to, afterComma }: ItemText): string {
  const end = afterComma ?? to
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', end)
  const isAlone = next >= 0 && !/\S/.test(text.slice(lineStart, from) + text.slice(end, next))
  return isAlone ? text.slice(0, lineStart) + text.slice(next + 1) : text.slice(0, from) + text.slice(end)
}

/** Finds the array of a key before the first table. */
function findArray(text: string, key: string): ArrayText | undefined {
  let at = 0
  while (at < text.length) {
    at = skipBlank(text, at)
    if (at >= text.length || text[at] === '[') return undefined
    const equals = findEquals(text, at)
    const name = text
      .slice(at, equals)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
    const value = skipBlank(text, equals + 1)
    if (name === key) return text[value] === '[' ? readArray(text, value) : undefined
    at = skipValue(text, value)
  }
  return undefined
}

function findEquals(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '=') at = isQuote(text[at]) ? skipString(text, at) : at + 1
  return at
}

function readArray(text: string, open: number): ArrayText | undefined {
  const items: ItemText[] = []
  for (let at = skipBlank(text, open + 1); at < text.length; at = skipBlank(text, at)) {
    if (text[at] === ']') return { items, end: at }
    if (text[at] === ',') {
      const last = items.at(-1)
      if (last) last.afterComma = at + 1
      at++
      continue
    }
    if (!isQuote(text[at])) return undefined
    const to = skipString(text, at)
    items.push({ from: at, to })
    at = to
  }
  return undefined
}

/** The end of a value: of its line, but of the last one for arrays and inline tables. */
function skipValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const letter = text[at]!
    if (letter === '\n' && depth === 0) return at
    if (letter === '[' || letter === '{') depth++
    if (letter === ']' || letter === '}') depth--
    if (isQuote(letter)) at = skipString(text, at)
    else if (letter === '#') at = skipComment(text, at)
    else at++
  }
  return at
}

function isQuote(letter: string | undefined): boolean {
  return letter === '"' || letter === "'"
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && /[\s#]/.test(text[at]!)) at = text[at] === '#' ? skipComment(text, at) : at + 1
  return at
}

function skipComment(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The position after a string: basic or literal, of one line or several. */
function skipString(text: string, from: number): number {
  const mark = text[from]!
  const isLong = text.startsWith(mark.repeat(3), from)
  const close = isLong ? mark.repeat(3) : mark
  let at = from + close.length
  while (at < text.length && !text.startsWith(close, at)) at += mark === '"' && text[at] === '\\' ? 2 : 1
  at += close.length
  // Up to two quotation marks may stand before the closing ones.
  while (isLong && text[at] === mark) at++
  return at
}
