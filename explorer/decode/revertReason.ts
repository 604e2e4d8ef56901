import { type Abi, decodeErrorResult, type Hex } from 'viem'
import { pairValues, showValue } from './decoded.ts'

const panics: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'an arithmetic operation overflowed or underflowed',
  '18': 'division by zero',
  '33': 'a value is outside of its enumeration',
  '34': 'a byte array in storage is badly encoded',
  '49': 'pop() on an empty array',
  '50': 'an index is out of range',
  '65': 'too much memory was allocated',
  '81': 'a function variable was never set',
}

/** What a contract says when it reverts, in words. */
export function explainRevert(output: Hex | undefined, abis: readonly Abi[]): string {
  if (!output || output === '0x') return 'The contract reverted without a reason.'
  for (const abi of [[], ...abis]) {
    try {
      const { errorName, args, abiItem } = decodeErrorResult({ abi, data: output })
      if (errorName === 'Error') return String(args?.[0])
      if (errorName === 'Panic') return `Panic: ${panics[String(args?.[0])] ?? `code ${args?.[0]}`}.`
      const inputs = 'inputs' in abiItem ? abiItem.inputs : []
      const values = pairValues(inputs, args ?? []).map(({ name, value }) => `${name}: ${showValue(value)}`)
      return `${errorName}(${values.join(', ')})`
    } catch {
      // Another ABI may know the error.
    }
  }
  return `The contract reverted with data that no ABI here explains (${output.slice(0, 10)}).`
}
