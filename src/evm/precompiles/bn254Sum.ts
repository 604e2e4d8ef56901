import type { WasmMemory } from '../../primitives/wasm.ts'
import { instantiate } from './wasm.ts'

interface Bn254SumModule {
  readonly memory: WasmMemory
  pointsAt(): number
  addPoints(): number
  invertFirst(): void
}

/** Sums of points and inverses of field elements of bn254. */
export interface Bn254Sum {
  /** Adds two points, 128 bytes; undefined if one is invalid. */
  add(input: Uint8Array): Uint8Array | undefined
  /** Replaces the 32 bytes of a field element by those of its inverse. */
  invert(bytes: Uint8Array): void
}

export function createBn254Sum(): Bn254Sum {
  const wasm = instantiate<Bn254SumModule>('bn254Sum')
  const points = new Uint8Array(wasm.memory.buffer, wasm.pointsAt(), 128)
  return {
    add(input) {
      points.set(input)
      return wasm.addPoints() === 0 ? undefined : points.slice(0, 64)
    },
    invert(bytes) {
      points.set(bytes)
      wasm.invertFirst()
      bytes.set(points.subarray(0, 32))
    },
  }
}
