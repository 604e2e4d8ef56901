/** Splits the text of a JSON array, which must be valid, into the texts of its items. */
export function splitArray(text: string): string[] {
  const items: string[] = []
  let depth = 0
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (c === '"') {
      if (start < 0) start = at
      while (text[++at] !== '"') if (text[at] === '\\') at++
    } else if (c === '[' || c === '{') {
      if (++depth === 2 && start < 0) start = at
    } else if (c === ']' || c === '}') depth--
    else if (start < 0 && depth === 1 && !/[\s,]/.test(c)) start = at
    if (start >= 0 && ((c === ',' && depth === 1) || depth === 0)) {
      items.push(text.slice(start, at).trimEnd())
      start = -1
    }
  }
  return items
}
