import { type Abi, decodeFunctionData, type Hex } from 'viem'
import { type Decoded, pairValues } from './decoded.ts'

/** Finds the function that calldata calls in one of the ABIs, undefined if none fits. */
export function decodeInput(input: Hex, abis: readonly Abi[]): Decoded | undefined {
  if (input.length < 10) return undefined
  for (const abi of abis) {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data: input })
      const candidates = abi.filter((item) => item.type === 'function' && item.name === functionName)
      const found = candidates.find((item) => item.type === 'function' && item.inputs.length === (args?.length ?? 0))
      if (found?.type === 'function') return { name: functionName, values: pairValues(found.inputs, args ?? []) }
    } catch {
      // Another ABI may fit.
    }
  }
  return undefined
}
