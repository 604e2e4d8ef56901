import { expect, test } from 'vitest'
import { fromHex } from '../../primitives/hex.ts'
import { rpcErrorObject } from '../protocol/codes.ts'
import { executionError } from './executionError.ts'

const word = (n: number) => n.toString(16).padStart(64, '0')
const text = (length: number, hex: string) => `08c379a0${word(32)}${word(length)}${hex}`

// "no" in Solidity's Error(string), then variations of it.
test.each([
  [text(2, '6e6f'.padEnd(64, '0')), 'Execution reverted: no'],
  [text(0, ''), 'Execution reverted: '],
  [text(99, '6e6f'.padEnd(64, '0')), 'Execution reverted: ABI decode error'],
  ['08c379a0', 'Execution reverted: ABI decode error'],
  [`08c379a0${'ff'.repeat(64)}`, 'Execution reverted: ABI decode error'],
  [`4e487b71${word(1)}`, 'Execution reverted'],
  ['aabbcc', 'Execution reverted'],
  ['', 'Execution reverted'],
])('a revert with %s', (output, message) => {
  const outcome = { halt: 'revert', output: fromHex(output) } as const
  expect(rpcErrorObject(executionError(outcome, false))).toEqual({ code: -32000, message, data: `0x${output}` })
})

test('a halt is named where that is asked for', () => {
  const outcome = { halt: 'outOfGas', output: fromHex('') } as const
  const message = 'Transaction processing could not be completed due to an exception'
  expect(rpcErrorObject(executionError(outcome, false))).toEqual({ code: -32000, message })
  expect(rpcErrorObject(executionError(outcome, true))).toEqual({
    code: -32000,
    message: `${message}: INSUFFICIENT_GAS`,
  })
})

test.each([
  [text(2, '6e6f'.padEnd(64, '0')), 'execution reverted: no'],
  [text(99, '6e6f'.padEnd(64, '0')), 'execution reverted'],
  [`4e487b71${word(0x11)}`, 'execution reverted: arithmetic underflow or overflow'],
  [`4e487b71${word(0x99)}`, 'execution reverted: unknown panic code: 0x99'],
  ['4e487b71', 'execution reverted'],
  ['aabbcc', 'execution reverted'],
  ['', 'execution reverted'],
])('a revert with %s in the form of geth', (output, message) => {
  const outcome = { halt: 'revert', output: fromHex(output) } as const
  expect(rpcErrorObject(executionError(outcome, false, 'GETH'))).toEqual({ code: 3, message, data: `0x${output}` })
})
