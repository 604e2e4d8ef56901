import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatExactJson, jsonType, parseExactJson } from './exactJson.ts'

test('what is written means what was read', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }).filter((value) => !JSON.stringify(value).includes('\\u0000')),
      (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(formatExactJson(parseExactJson(text)))).toEqual(JSON.parse(text))
      },
    ),
  )
})

test('numbers keep their digits', () => {
  const text = '{"a":123456789012345678901234567890,"b":1.50,"c":-1E+3,"d":"12"}'
  expect(formatExactJson(parseExactJson(text)).replace(/[\s]/g, '')).toBe(text)
})

test('is laid out like a genesis file of Besu', () => {
  const text = '{"a":{},"b":[],"c":[1,"x",{"d":null}],"e":{"f":true}}'
  const layout = `{
  "a" : { },
  "b" : [ ],
  "c" : [ 1, "x", {
    "d" : null
  } ],
  "e" : {
    "f" : true
  }
}`
  expect(formatExactJson(parseExactJson(text))).toBe(layout)
})

test('a string cannot pass for a number', () => {
  expect(() => parseExactJson('"\\u00001"')).toThrow(SyntaxError)
  expect(() => parseExactJson('[')).toThrow(SyntaxError)
})

test('types have names', () => {
  const values = ['1', '"x"', 'true', 'null', '[]', '{}'].map(parseExactJson)
  expect(values.map(jsonType)).toEqual(['NUMBER', 'STRING', 'BOOLEAN', 'NULL', 'ARRAY', 'OBJECT'])
})
