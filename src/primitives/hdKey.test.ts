import { expect, test } from 'vitest'
import { deriveKeys } from './hdKey.ts'
import { toHex } from './hex.ts'

test('a mnemonic gives the keys that every wallet derives from it', () => {
  const [first, second] = deriveKeys('test test test test test test test test test test test junk', 2)
  expect(toHex(first!)).toBe('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  expect(toHex(second!)).toBe('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
  const [candy] = deriveKeys('  candy maple cake sugar pudding cream honey rich smooth crumble  sweet treat ', 1)
  expect(toHex(candy!)).toBe('0xc87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3')
})
