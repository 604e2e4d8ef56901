import { bigIntToFixed } from '../../primitives/u256.ts'
import type { WasmMemory } from '../../primitives/wasm.ts'
import { instantiate, lazy } from './wasm.ts'

interface FusedModexpModule {
  readonly memory: WasmMemory
  isFused(x: number): number
  bytesEnd(): number
  exponentAt(size: number): number
  setModulus(digits: number, length: number): void
  power(digits: number, length: number, exponentBytes: number): void
}

const digitBits = 51

/** Maximum bytes of a modulus. */
export const maxModulusBytes = 1024

/** Returns base^exponent modulo an odd number n, whose bytes are `modulus`; the result has as many bytes. */
export type FusedPower = (base: bigint, exponent: Uint8Array, n: bigint, modulus: Uint8Array) => Uint8Array

/** Modular powers in double precision; undefined on machines whose multiply-add rounds twice. */
export const fusedPower = lazy((): FusedPower | undefined => {
  const wasm = instantiate<FusedModexpModule>('fusedModexp')
  if (!wasm.isFused(1 + 2 ** -30)) return undefined
  const end = wasm.bytesEnd()
  return (base, exponent, n, modulus) => {
    const exponentAt = wasm.exponentAt(exponent.length)
    const bytes = new Uint8Array(wasm.memory.buffer)
    bytes.set(exponent, exponentAt)
    // One bit more than the modulus keeps products in range; the number of digits is even.
    const { length } = modulus
    const digits = 2 * Math.ceil((8 * length + 1) / (2 * digitBits))
    bytes.set(modulus, end - length)
    wasm.setModulus(digits, length)
    bytes.set(bigIntToFixed((base << BigInt(digitBits * digits)) % n, length), end - length)
    wasm.power(digits, length, exponent.length)
    const result = bytes.slice(end - length, end)
    bytes.fill(0, end - length, end)
    return result
  }
})
