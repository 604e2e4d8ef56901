import { bytesToBigInt } from '../../primitives/u256.ts'
import type { WasmMemory } from '../../primitives/wasm.ts'
import type { Bn254 } from './mclBn254.ts'
import { instantiate } from './wasm.ts'

/** Address in the module's memory. */
type Pointer = number

interface Bn254Module {
  readonly memory: WasmMemory
  isFused(x: number): number
  setModulus(p0: number, p1: number, p2: number, p3: number, p4: number, inverse: number, scale: number): void
  constantAt(i: number): Pointer
  areaAt(pairs: number, bytes: number): Pointer
  readPoint(point: Pointer, bytes: Pointer): Read
  multiplyPoint(point: Pointer, first: Pointer, second: Pointer): void
  writePoint(bytes: Pointer, point: Pointer): void
  readPair(pair: Pointer, bytes: Pointer): Read
  isProductOne(pairs: Pointer, count: number): 0 | 1
}

const noPoint = 0
const infinity = 1
type Read = typeof noPoint | typeof infinity | 2

type Complex = readonly [real: bigint, imaginary: bigint]

const p = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const order = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n

// (x, y) → (βx, y) multiplies a point by λ. Two short vectors (a, b) with a + bλ = 0 modulo the order split a scalar into halves.
const beta = 2203960485148121921418603742825762020974279258880205651966n
const a1 = 147946756881789319010696353538189108491n
const b1 = 9931322734385697763n
const a2 = 9931322734385697763n
const b2 = -147946756881789319000765030803803410728n

/** Returns k₁ and k₂ of about 127 bits, of either sign, with k = k₁ + k₂λ modulo the order. */
function split(k: bigint): readonly [bigint, bigint] {
  const c1 = (-k * b2 + (order >> 1n)) / order
  const c2 = (k * b1 + (order >> 1n)) / order
  return [k - c1 * a1 - c2 * a2, -c1 * b1 - c2 * b2]
}

function modulo(n: bigint): bigint {
  const rest = n % p
  return rest < 0n ? rest + p : rest
}

function multiplyComplex([a, b]: Complex, [c, d]: Complex): Complex {
  return [modulo(a * c - b * d), modulo(a * d + b * c)]
}

function power(base: Complex, exponent: bigint): Complex {
  let result: Complex = [1n, 0n]
  for (const bit of exponent.toString(2)) {
    result = multiplyComplex(result, result)
    if (bit === '1') result = multiplyComplex(result, base)
  }
  return result
}

const xi: Complex = [9n, 1n]

/** Returns the constants in the order of assembly/bn254/module.ts. */
function constants(): Complex[] {
  const twistB = multiplyComplex([3n, 0n], power(xi, p * p - 2n))
  const roots = Array.from({ length: 6 }, (_, i) => power(xi, (BigInt(i) * (p - 1n)) / 6n))
  const form = 1n << formBits
  return [[form, form], [1n, 1n], [3n, 3n], [beta, beta], [1n, 0n], twistB, multiplyComplex([3n, 0n], twistB), ...roots]
}

const formBits = 306n
const digitBits = 51
const digitCount = 5

/** Returns the signed digits; the last one is the rest. */
function digitsOf(n: bigint): number[] {
  return Array.from({ length: digitCount }, (_, i) => {
    const digit = i < digitCount - 1 ? BigInt.asIntN(digitBits, n) : n
    n = (n - digit) >> BigInt(digitBits)
    return Number(digit)
  })
}

/** −p⁻¹ modulo 2^51, signed; each step doubles the number of correct bits. */
function negatedInverse(): number {
  let x = 1n
  for (let bits = 1; bits < digitBits; bits *= 2) x = BigInt.asUintN(digitBits, x * (2n - p * x))
  return Number(BigInt.asIntN(digitBits, -x))
}

function setUp(wasm: Bn254Module): void {
  const [p0, p1, p2, p3, p4] = digitsOf(p) as [number, number, number, number, number]
  wasm.setModulus(p0, p1, p2, p3, p4, negatedInverse(), 2 ** 204 / Number(p))
  const doubles = new Float64Array(wasm.memory.buffer)
  for (const [i, pair] of constants().entries()) {
    for (const [lane, n] of pair.entries()) {
      const inForm = (n << formBits) % p
      const digits = digitsOf(inForm > p >> 1n ? inForm - p : inForm)
      for (const [j, digit] of digits.entries()) doubles[wasm.constantAt(i) / 8 + 2 * j + lane] = digit
    }
  }
}

const elementBytes = 80
const pairBytes = 8 * elementBytes
const pairLength = 192
const scalarLength = 17

/** Encodes a scalar as 16 bytes, the least first, and a byte for the sign. */
function scalarBytes(k: bigint): Uint8Array {
  const out = new Uint8Array(scalarLength)
  const view = new DataView(out.buffer)
  const size = k < 0n ? -k : k
  view.setBigUint64(0, BigInt.asUintN(64, size), true)
  view.setBigUint64(8, size >> 64n, true)
  out[16] = k < 0n ? 1 : 0
  return out
}

/**
 * Creates bn254 on our own arithmetic: a pairing takes a third of the library's time. Undefined on machines whose
 * multiply-add rounds twice.
 */
export function createFusedBn254(): Bn254 | undefined {
  const wasm = instantiate<Bn254Module>('bn254')
  if (!wasm.isFused(1 + 2 ** -30)) return undefined
  setUp(wasm)
  let bytes = new Uint8Array(wasm.memory.buffer)

  /** Reserves memory for pairs, followed by a copy of the input. */
  function load(pairs: number, input: Uint8Array, more: number): Pointer {
    const at = wasm.areaAt(pairs, input.length + more)
    // A view has length 0 once the memory has grown.
    if (bytes.length === 0) bytes = new Uint8Array(wasm.memory.buffer)
    bytes.set(input, at + pairs * pairBytes)
    return at
  }

  return {
    multiply(input) {
      const point = load(1, input, 2 * scalarLength)
      const inputAt = point + pairBytes
      const read = wasm.readPoint(point, inputAt)
      if (read === noPoint) return undefined
      if (read === infinity) return new Uint8Array(64)
      const [k1, k2] = split(bytesToBigInt(input.subarray(64)) % order)
      const [first, second] = [inputAt + 96, inputAt + 96 + scalarLength]
      bytes.set(scalarBytes(k1), first)
      bytes.set(scalarBytes(k2), second)
      wasm.multiplyPoint(point, first, second)
      wasm.writePoint(inputAt, point)
      return bytes.slice(inputAt, inputAt + 64)
    },
    isPairingOne(input) {
      const count = input.length / pairLength
      const pairs = load(count, input, 0)
      let used = 0
      for (let i = 0; i < count; i++) {
        const read = wasm.readPair(pairs + used * pairBytes, pairs + count * pairBytes + i * pairLength)
        if (read === noPoint) return undefined
        // A pairing with infinity is one: the next pair overwrites it.
        if (read !== infinity) used++
      }
      return used === 0 || wasm.isProductOne(pairs, used) === 1
    },
  }
}
