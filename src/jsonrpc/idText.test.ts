import fc from 'fast-check'
import { expect, test } from 'vitest'
import { echoNumber, hasFragileId, numberIds } from './idText.ts'

test.each([
  ['1', '1'],
  ['1.0', '1.0'],
  ['1.5', '1.5'],
  ['1e3', '1000.0'],
  ['1e10', '1.0E10'],
  ['-2.5e-7', '-2.5E-7'],
  ['0.0', '0.0'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['1e400', '1e400'],
])('%s comes back as %s', (text, want) => {
  expect(echoNumber(text)).toBe(want)
})

test('plain ids need no second look', () => {
  expect(hasFragileId('{"id":1,"method":"x"}')).toBe(false)
  expect(hasFragileId('{"id":9007199254740993}')).toBe(true)
  expect(hasFragileId('{ "id" : 1.0 }')).toBe(true)
})

test('ids are found at their level only, the last of two counts', () => {
  expect(numberIds('{"params":[{"id":7.5}],"x":"\\"id\\":3","id":1.0}')).toEqual(['1.0'])
  expect(numberIds('{"id":1,"id":2e1}')).toEqual(['2e1'])
  expect(numberIds('{"method":"id","id":1.5}')).toEqual(['1.5'])
  expect(numberIds('[{"id":1.0},{"id":"a"},5,"x",[{"id":9.5}],{},{"params":[{"id":3.5}],"id":2.50}]')).toEqual([
    '1.0',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    '2.50',
  ])
})

test('one id per element of any batch', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (batch) => {
      expect(numberIds(JSON.stringify(batch))).toHaveLength(batch.length)
    }),
  )
})
