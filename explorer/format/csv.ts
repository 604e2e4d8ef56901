/** What a spreadsheet would run as a formula: names of tokens and the like are whatever strangers wrote. */
const formula = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/
const grouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/

function quote(cell: string): string {
  const text = grouped.test(cell) ? cell.replaceAll(',', '') : cell
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of cells as a file that spreadsheets open (RFC 4180). */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => `${line.map(quote).join(',')}\r\n`).join('')
}

/** What is read of an element of the page. */
export interface Shown {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly childNodes: Iterable<Shown>
  /** Of elements. */
  readonly tagName?: string
  readonly dataset?: Readonly<Record<string, string | undefined>>
}

const textNode = 3

/** The text of a part of the page; where it says `data-value`, that: all digits, where fewer are shown. Buttons are left out. */
export function exactText(shown: Shown): string {
  if (shown.nodeType === textNode) return shown.nodeValue ?? ''
  const exact = shown.dataset?.['value']
  if (exact !== undefined) return exact
  if (shown.tagName === 'BUTTON') return ''
  return Array.from(shown.childNodes, exactText).filter(Boolean).join(' ').replace(/\s+/g, ' ').trim()
}
