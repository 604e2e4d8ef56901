import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
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

/** Returns base^exponent modulo an odd number of at most `bits` bits. */
export type FusedPower = (base: bigint, exponent: Uint8Array, modulus: bigint, bits: number) => bigint

/** Modular powers in double precision; undefined on machines whose multiply-add rounds twice. */
export const fusedPower = lazy((): FusedPower | undefined => {
  const wasm = instantiate<FusedModexpModule>('fusedModexp')
  if (!wasm.isFused(1 + 2 ** -30)) return undefined
  const end = wasm.bytesEnd()
  return (base, exponent, modulus, bits) => {
    const exponentAt = wasm.exponentAt(exponent.length)
    const bytes = new Uint8Array(wasm.memory.buffer)
    bytes.set(exponent, exponentAt)
    // One bit more than the modulus keeps products in range; the number of digits is even.
    const digits = 2 * Math.ceil((bits + 1) / (2 * digitBits))
    const length = Math.ceil(bits / 8)
    bytes.set(bigIntToFixed(modulus, length), end - length)
    wasm.setModulus(digits, length)
    bytes.set(bigIntToFixed((base << BigInt(digitBits * digits)) % modulus, length), end - length)
    wasm.power(digits, length, exponent.length)
    const result = bytesToBigInt(bytes.subarray(end - length, end))
    bytes.fill(0, end - length, end)
    return result
  }
})
