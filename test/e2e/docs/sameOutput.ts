/** A text in which `…` stands for anything in a line, and a line of it alone for any lines. */
function toPattern(expected: string): string {
  return expected
    .trim()
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*?.*' : line.trim().split('…').map(quote).join('.*?').replaceAll(/\s+/g, '\\s+'),
    )
    .join('\\s*\\n\\s*')
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
