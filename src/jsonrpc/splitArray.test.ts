import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitArray } from './splitArray.ts'

test('returns the texts of the items', () => {
  expect(splitArray(' [ {"a":[1,{"b":"],\\""}]} , "x,[", 12345678901234567890 ,[ ], null,{}]\n')).toEqual([
    '{"a":[1,{"b":"],\\""}]}',
    '"x,["',
    '12345678901234567890',
    '[ ]',
    'null',
    '{}',
  ])
  expect(splitArray('[]')).toEqual([])
})

test('of any JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.nat(2), (items, indent) => {
      expect(splitArray(JSON.stringify(items, undefined, indent)).map((text) => JSON.parse(text))).toEqual(
        JSON.parse(JSON.stringify(items)),
      )
    }),
  )
})
