import type { Tracer } from '../evm/tracer.ts'

const quantity = (n: bigint): string => `0x${n.toString(16)}`

/** Writes a line of JSON for every step: the state before the opcode and its gas cost (EIP-3155). */
export function createStepTracer(write: (line: string) => void): Tracer {
  let before = { place: {}, state: {} }
  return {
    onStep({ pc, op, opName, gas, memorySize, depth, refund, stack }) {
      before = {
        place: { pc, op, gas: quantity(gas) },
        state: { memSize: memorySize, stack: stack().map(quantity), depth, refund: Number(refund), opName },
      }
    },
    onStepEnd({ cost, error }) {
      write(JSON.stringify({ ...before.place, gasCost: quantity(cost), ...before.state, ...(error && { error }) }))
    },
  }
}
