declare const numeral: unique symbol
/** A number of any size, as written. */
export type Numeral = string & { readonly [numeral]: true }
export type Json = string | boolean | null | Numeral | readonly Json[] | ExactJsonObject
export interface ExactJsonObject {
  readonly [key: string]: Json
}

/** Prefix of a number's digits; strings that contain it are rejected. */
const mark = '\0'

/** Parses JSON without rounding its numbers; throws a SyntaxError if it is invalid. */
export function parseExactJson(text: string): Json {
  JSON.parse(text)
  if (/\\u0000/.test(text)) throw new SyntaxError('the escape \\u0000 is not allowed')
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
  return JSON.parse(text.replace(token, (t) => (t.startsWith('"') ? t : `"\\u0000${t}"`))) as Json
}

export function isJsonObject(value: Json | undefined): value is ExactJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNumeral(value: Json | undefined): value is Numeral {
  return typeof value === 'string' && value.startsWith(mark)
}

/** The digits of a numeral. */
export function numeralText(value: Numeral): string {
  return value.slice(mark.length)
}

/** The numeral of a number. */
export function numeralOf(value: bigint): Numeral {
  return `${mark}${value}` as Numeral
}

/** Name of a value's type, as in Besu's messages. */
export function jsonType(value: Json): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return 'ARRAY'
  return isNumeral(value) ? 'NUMBER' : (typeof value).toUpperCase()
}

/** Formats JSON as Besu writes genesis files: indented by two spaces, `"key" : value`, lists on one line. */
export function formatExactJson(value: Json, depth = 0): string {
  if (isNumeral(value)) return numeralText(value)
  if (Array.isArray(value))
    return value.length ? `[ ${value.map((item) => formatExactJson(item, depth)).join(', ')} ]` : '[ ]'
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${'  '.repeat(depth + 1)}${JSON.stringify(key)} : ${formatExactJson(member, depth + 1)}`,
  )
  return members.length ? `{\n${members.join(',\n')}\n${'  '.repeat(depth)}}` : '{ }'
}
