/** A string that is nothing but a placeholder, or a placeholder inside of a string. */
const placeholder = /"<([a-z]+)>"|<([a-z]+)>/g
const unnamed = 'any'

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Compares an answer with the text that is expected, in which `"<any>"` stands for any value and `<any>` inside of a
 * string for any characters. Undefined when they differ; else the texts that stood for placeholders of other names.
 */
export function matchAnswer(answer: string, expected: string): ReadonlyMap<string, string> | undefined {
  const names: string[] = []
  let pattern = ''
  let at = 0
  for (const match of expected.matchAll(placeholder)) {
    const [found, whole, inside] = match
    pattern += escaped(expected.slice(at, match.index))
    pattern += whole === undefined ? '([^"]*)' : whole === unnamed ? '(.*)' : '"([^"]*)"'
    names.push(whole ?? inside!)
    at = match.index + found.length
  }
  const found = new RegExp(`^${pattern}${escaped(expected.slice(at))}$`).exec(answer)
  if (!found) return undefined
  const named = names.map((name, i) => [name, found[i + 1]!] as const)
  return new Map(named.filter(([name]) => name !== unnamed))
}

/** Puts the texts that stood for named placeholders into a later request. */
export function fillRequest(request: string, values: ReadonlyMap<string, string>): string {
  return request.replace(/<([a-z]+)>/g, (whole, name: string) => values.get(name) ?? whole)
}
