/** Text of the first element of that name in any namespace; undefined if there is none. */
export function xmlText(xml: string, name: string): string | undefined {
  const opening = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>`, 'i').exec(xml)
  if (!opening) return undefined
  const start = opening.index + opening[0].length
  const end = xml.indexOf('<', start)
  return end < 0 ? undefined : resolveEntities(xml.slice(start, end).trim())
}

/** Content of each element of that name; elements of the same name must not be nested. */
export function xmlElements(xml: string, name: string): string[] {
  return xml
    .split(new RegExp(`<${name}>`, 'i'))
    .slice(1)
    .map((rest) => rest.split(new RegExp(`</${name}>`, 'i'), 1)[0]!)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function resolveEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
}
