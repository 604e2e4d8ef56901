import { expect, test } from 'vitest'
import { parseJson } from './parseJson.ts'

const long = 'x'.repeat(1 << 16)
const nested = (depth: number, inside: string) => '['.repeat(depth) + inside + ']'.repeat(depth)

test.each([
  ['brackets in a string', `"${'['.repeat(2000)}"`],
  ['brackets behind an escaped quotation mark', `"\\"${'['.repeat(2000)}"`],
  ['an escaped backslash at the end of a string', `"\\\\",${nested(900, '1')}`],
  ['a thousand levels', nested(999, '1')],
])('a long text is read: %s', (_, inside) => {
  const text = `["${long}",${inside}]`
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['more than a thousand levels', nested(1001, '1')],
  ['levels behind a string that ends with an escaped backslash', `"\\\\",${nested(1001, '1')}`],
  ['a string without an end', '"abc'],
  ['a string that ends with a backslash', '"abc\\'],
])('a long text is refused: %s', (_, inside) => {
  expect(parseJson(`["${long}",${inside}]`)).toBeUndefined()
})
