import { expect, test } from 'vitest'
import { readMetadata } from './fromMetadata.ts'

const metadata = (more: object, path = 'C.sol') => ({
  ...{ compiler: { version: '0.8.30+commit.73712a01' }, language: 'Solidity' },
  sources: { [path]: { content: '', keccak256: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' } },
  settings: { compilationTarget: { [path]: 'C' }, ...more },
})

test('libraries have paths and names, and old ones names alone', () => {
  const libraries = { 'lib/L.sol:L': '0x01', 'lib/L.sol:M': '0x02', N: '0x03' }
  expect(readMetadata(metadata({ libraries }), {}).input.settings['libraries']).toEqual({
    'lib/L.sol': { L: '0x01', M: '0x02' },
    '': { N: '0x03' },
  })
})

test('names that JavaScript knows are names like others', () => {
  const libraries = JSON.parse('{"__proto__:polluted":"0x01","constructor:prototype":"0x02"}') as object
  const { input } = readMetadata(metadata({ libraries }, '__proto__'), {})
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(JSON.stringify(input.settings['libraries'])).toBe(
    '{"__proto__":{"polluted":"0x01"},"constructor":{"prototype":"0x02"}}',
  )
  expect(Object.keys(input.sources)).toEqual(['__proto__'])
})
