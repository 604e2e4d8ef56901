import { bigIntToBytes, bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import type { WasmMemory } from '../../primitives/wasm.ts'
import { type FusedPower, maxModulusBytes } from './fusedPower.ts'
import { instantiate, lazy } from './wasm.ts'

interface ModexpModule {
  readonly memory: WasmMemory
  modulusAt(): number
  baseAt(): number
  resultAt(): number
  exponentAt(size: number): number
  powerOdd(limbs: number, exponentBytes: number): void
  powerOfTwo(limbs: number, exponentBytes: number): void
}

const wasm = lazy(() => instantiate<ModexpModule>('modexp'))

// Beyond these V8's arithmetic, which has 64-bit limbs and fast multiplication, beats 32-bit limbs in WebAssembly …
const maxLimbs = 64
// … and for shorter exponents the call into WebAssembly costs more than it saves.
const minExponentBytes = 3
// From here on digits in double precision, two at a time, are faster than limbs, if the machine supports them.
const minFusedBits = 129

function writeLimbs(at: number, n: bigint, limbs: number): void {
  const words = new BigUint64Array(wasm().memory.buffer, at, (limbs + 1) >> 1)
  for (let i = 0; i < words.length; i++) {
    words[i] = n
    n >>= 64n
  }
}

function readLimbs(at: number, limbs: number): bigint {
  const words = new BigUint64Array(wasm().memory.buffer, at, (limbs + 1) >> 1)
  let n = 0n
  for (let i = words.length - 1; i >= 0; i--) n = (n << 64n) | words[i]!
  return BigInt.asUintN(32 * limbs, n)
}

function writeExponent(exponent: Uint8Array): void {
  const at = wasm().exponentAt(exponent.length)
  new Uint8Array(wasm().memory.buffer).set(exponent, at)
}

/** Returns a power modulo an odd number of at most `bits` bits. */
function powerOdd(base: bigint, exponent: Uint8Array, modulus: bigint, bits: number, fused?: FusedPower): bigint {
  if (fused && bits >= minFusedBits) return bytesToBigInt(fused(base, exponent, modulus, bigIntToBytes(modulus)))
  const { modulusAt, baseAt, resultAt, powerOdd } = wasm()
  const limbs = Math.ceil(bits / 32)
  writeLimbs(modulusAt(), modulus, limbs)
  writeLimbs(baseAt(), (base << BigInt(32 * limbs)) % modulus, limbs)
  writeExponent(exponent)
  powerOdd(limbs, exponent.length)
  return readLimbs(resultAt(), limbs)
}

/** Returns a power modulo 2^bits. */
function powerOfTwo(base: bigint, exponent: Uint8Array, bits: number): bigint {
  const { baseAt, resultAt, powerOfTwo } = wasm()
  const limbs = Math.ceil(bits / 32)
  writeLimbs(baseAt(), BigInt.asUintN(bits, base), limbs)
  writeExponent(exponent)
  powerOfTwo(limbs, exponent.length)
  return BigInt.asUintN(bits, readLimbs(resultAt(), limbs))
}

function trailingZeroBits(n: bigint): number {
  return (n & -n).toString(2).length - 1
}

/** Returns the inverse of an odd number modulo 2^bits; each step doubles the number of correct bits. */
function inverseOfTwo(n: bigint, bits: number): bigint {
  let x = n
  for (let right = 3; right < bits; right *= 2) x = BigInt.asUintN(bits, x * (2n - n * x))
  return BigInt.asUintN(bits, x)
}

/** Returns a power modulo an even number: joins the results for its odd part and its power of two. */
function powerInParts(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  modulusBits: number,
  fused?: FusedPower,
): bigint {
  if (modulus & 1n) return powerOdd(base, exponent, modulus, modulusBits, fused)
  const bits = trailingZeroBits(modulus)
  const odd = modulus >> BigInt(bits)
  const ofTwo = powerOfTwo(base, exponent, bits)
  if (odd === 1n) return ofTwo
  const ofOdd = powerOdd(base % odd, exponent, odd, modulusBits - bits, fused)
  return ofOdd + odd * BigInt.asUintN(bits, (ofTwo - ofOdd) * inverseOfTwo(odd, bits))
}

function powerOfBigInts(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const window = exponent.length > 8 ? 4 : 1
  const table = [1n, base]
  for (let i = 2; i < 1 << window; i++) table.push((table[i - 1]! * base) % modulus)
  let result = 1n
  for (const byte of exponent) {
    for (let shift = 8 - window; shift >= 0; shift -= window) {
      if (result !== 1n) for (let k = 0; k < window; k++) result = (result * result) % modulus
      const digit = (byte >> shift) & (table.length - 1)
      if (digit) result = (result * table[digit]!) % modulus
    }
  }
  return result
}

function powerOf(base: bigint, exponent: Uint8Array, n: bigint, bits: number, fused?: FusedPower): bigint {
  if (exponent.length === 0 || base === 1n) return 1n
  if (base === 0n) return 0n
  const maxBits = n & 1n && fused ? 8 * maxModulusBytes : 32 * maxLimbs
  if (bits > maxBits || exponent.length < minExponentBytes) return powerOfBigInts(base, exponent, n)
  return powerInParts(base, exponent, n, bits, fused)
}

/**
 * Returns base^exponent mod modulus in as many bytes as the modulus has; exponent and modulus are big-endian bytes without
 * leading zeros, the modulus is above 1. `fused` is the arithmetic in double precision, if the machine supports it.
 */
export function modularPower(
  base: bigint,
  exponent: Uint8Array,
  modulus: Uint8Array,
  fused: FusedPower | undefined,
): Uint8Array {
  const n = bytesToBigInt(modulus)
  const bits = 8 * modulus.length
  const isLong = bits >= minFusedBits && modulus.length <= maxModulusBytes && exponent.length >= minExponentBytes
  // Numbers of this length take as long to convert as several products: the bytes are passed as they are.
  if (fused && isLong && n & 1n) return fused(base % n, exponent, n, modulus)
  return bigIntToFixed(powerOf(base % n, exponent, n, bits, fused), modulus.length)
}
