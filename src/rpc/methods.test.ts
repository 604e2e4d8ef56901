import { expect, test } from 'vitest'
import { knownNames } from './knownNames.ts'
import { namespaceOf } from './method.ts'
import { methods } from './methods.ts'

const served = methods.map(({ name }) => name)

test('no name is served twice', () => {
  expect(new Set(served).size).toBe(served.length)
})

test('every method of Besu in the namespaces that are complete', () => {
  const complete = new Set([
    ...['ADMIN', 'CLIQUE', 'DEBUG', 'ETH', 'IBFT', 'MINER', 'NET', 'QBFT', 'RPC', 'TRACE', 'TXPOOL', 'WEB3'],
  ])
  const wanted = [...knownNames].filter((name) => complete.has(namespaceOf(name)))
  expect(wanted.filter((name) => !served.includes(name))).toEqual([])
})

test('parameters that may be left out come last', () => {
  for (const { name, params } of methods) {
    const firstOptional = params.findIndex(({ required }) => !required)
    if (firstOptional >= 0)
      expect(
        params.slice(firstOptional).some(({ required }) => required),
        name,
      ).toBe(false)
  }
})
