import type { WasmMemory } from '../../primitives/wasm.ts'
import type { Precompile } from '../precompile.ts'
import { instantiate, lazy } from './wasm.ts'

interface Blake2fModule {
  readonly memory: WasmMemory
  inputAt(): number
  compress(rounds: number): void
}

const module = lazy(() => {
  const wasm = instantiate<Blake2fModule>('blake2f')
  return { wasm, memory: new Uint8Array(wasm.memory.buffer), at: wasm.inputAt() }
})

const inputLength = 213

function roundsOf(input: Uint8Array): number {
  return new DataView(input.buffer, input.byteOffset, 4).getUint32(0)
}

/** BLAKE2b's compression function (EIP-152). */
export const blake2f: Precompile = {
  name: 'BLAKE2F',
  // Input of another length fails in `run`.
  gas: (input) => (input.length === inputLength ? BigInt(roundsOf(input)) : 0n),
  run(input) {
    if (input.length !== inputLength || input[212]! > 1) return undefined
    const { wasm, memory, at } = module()
    memory.set(input.subarray(4), at)
    wasm.compress(roundsOf(input))
    return memory.slice(at, at + 64)
  },
}
