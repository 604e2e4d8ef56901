/** A text in which `…` stands for anything in a line, and a line of it alone for any lines. */
function toPattern(expected: string): string {
  const lines = expected.trim().split('\n')
  return lines
    .map((line, i) => {
      if (line.trim() === '…') return '[^]*?'
      const text = line.trim().split('…').map(quote).join('.*?').replaceAll(/\s+/g, '\\s+')
      return i < lines.length - 1 ? `${text}\\s*\\n\\s*` : text
    })
    .join('')
}

const quote = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Pages may break JSON into lines. */
const compact = (text: string) => text.replaceAll(/\s+/g, '')

function isJson(text: string): boolean {
  try {
    return Boolean(JSON.parse(text))
  } catch {
    return false
  }
}

/** Whether an output is what a page shows. */
export function isSameOutput(actual: string, expected: string): boolean {
  const [have, want] = isJson(actual) ? [compact(actual), compact(expected)] : [actual, expected]
  return new RegExp(`^\\s*${toPattern(want)}\\s*$`).test(have)
}

/** Whether a page shows a part of an output, as of a program that goes on. */
export function isPartOfOutput(actual: string, expected: string): boolean {
  return new RegExp(toPattern(expected)).test(actual)
}
