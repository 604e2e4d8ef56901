import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, suggest } from './suggest.ts'

test('counts inserted, deleted, replaced and swapped letters', () => {
  expect(editDistance('port', 'port')).toBe(0)
  expect(editDistance('prt', 'port')).toBe(1)
  expect(editDistance('ports', 'port')).toBe(1)
  expect(editDistance('pert', 'port')).toBe(1)
  expect(editDistance('prot', 'port')).toBe(1)
  expect(editDistance('', 'port')).toBe(4)
})

test('is symmetric and never more than the longer word', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
})

test('names what is near, nearest first, and nothing else', () => {
  expect(suggest('rpc-htpp-port', ['rpc-http-host', 'rpc-http-port', 'network'])).toEqual([
    'rpc-http-port',
    'rpc-http-host',
  ])
  expect(suggest('foo', ['network', 'identity'])).toEqual([])
})
