import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { fromHex } from '../primitives/hex.ts'
import { consoleTextOf } from './consoleLog.ts'

function textOf(types: readonly string[], args: readonly unknown[]): string | undefined {
  const inputs = types.map((type) => ({ type, name: '' }))
  const abi = [{ type: 'function', name: 'log', inputs, outputs: [], stateMutability: 'view' }] as const
  return consoleTextOf(fromHex(encodeFunctionData({ abi, functionName: 'log', args: args as never })))
}

test.each([
  [[], [], ''],
  [['string'], ['hello é'], 'hello é'],
  [['uint256'], [2n ** 256n - 1n], String(2n ** 256n - 1n)],
  [['int256'], [-5n], '-5'],
  [['bytes4'], ['0x01020304'], '0x01020304'],
  [['bytes'], ['0x0102'], '0x0102'],
  [['string', 'uint256'], ['n =', 7n], 'n = 7'],
  [['string', 'uint256', 'string'], ['%s has %d', 10n ** 30n, 'x'], `${10n ** 30n} has x`],
  [
    ['bool', 'address', 'uint256', 'string'],
    [true, `0x${'ab'.repeat(20)}`, 1n, 'end'],
    `true 0x${'ab'.repeat(20)} 1 end`,
  ],
])('log(%s)', (types, args, expected) => {
  expect(textOf(types, args)).toBe(expected)
})

test('what is not a call of the libraries has no text', () => {
  expect(consoleTextOf(new Uint8Array(4))).toBeUndefined()
  expect(consoleTextOf(new Uint8Array(0))).toBeUndefined()
  // log(string) with an offset beyond the data, and without data.
  expect(consoleTextOf(fromHex(`0x41304fac${'f'.repeat(64)}`))).toBeUndefined()
  expect(consoleTextOf(fromHex('0x41304fac'))).toBeUndefined()
})
