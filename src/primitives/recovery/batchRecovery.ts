import type { Hash32 } from '../bytes.ts'
import { curveOrder } from '../secp256k1.ts'
import { bytesToBigInt } from '../u256.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from '../wasm.ts'

interface RecoveryModule {
  readonly memory: WasmMemory
  isFused(x: number): number
  setUp(): void
  slotAt(i: number): number
  recover(pairs: number): number
}

/** An ECDSA signature and what was signed; r and s are of 32 bytes each. */
export interface RecoveryInput {
  readonly digest: Hash32
  readonly rs: Uint8Array
  readonly parity: number
}

/** Recovers many public keys at a time. */
export interface BatchRecovery {
  /**
   * The signers' public keys, undefined for signatures that are invalid. Undefined as a whole if one of the signatures has to be
   * recovered otherwise. The keys are valid until the next call.
   */
  recover(inputs: readonly RecoveryInput[]): (Uint8Array | undefined)[] | undefined
}

/** Signatures that are recovered together at most. */
export const maxBatch = 128

const p = 2n ** 256n - 4294968273n
const n = curveOrder
const gx = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n
const gy = 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n

// (x, y) → (βx, y) multiplies a point by λ. Two short vectors (a, b) with a + bλ = 0 modulo the order split a scalar into halves.
const beta = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een
const a1 = 0x3086d221a7d46bcde86c90e49284eb15n
const b1 = -0xe4437ed6010e88286f547fa90abfe4c3n
const a2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n
const b2 = a1

// Quotients by the order are products with its inverse, of more bits than matter.
const quotientBits = 384n
const half = 1n << (quotientBits - 1n)
const inverseB2 = ((b2 << quotientBits) + n / 2n) / n
const inverseB1 = ((-b1 << quotientBits) + n / 2n) / n

/** Returns two odd numbers k₁ and k₂ of less than 132 bits, of either sign, with k = k₁ + k₂λ modulo the order. */
export function splitScalar(k: bigint): readonly [bigint, bigint] {
  const c1 = (k * inverseB2 + half) >> quotientBits
  const c2 = (k * inverseB1 + half) >> quotientBits
  const k1 = k - c1 * a1 - c2 * a2
  const k2 = -c1 * b1 - c2 * b2
  // One of the vectors, or both, make both odd: the first is of two odd numbers, the second of an even and an odd one.
  if (isOdd(k1)) return isOdd(k2) ? [k1, k2] : [k1 + a2, k2 + b2]
  return isOdd(k2) ? [k1 + a1 + a2, k2 + b1 + b2] : [k1 + a1, k2 + b1]
}

function isOdd(k: bigint): boolean {
  return (k & 1n) === 1n
}

/** The inverse modulo the order. */
function inverse(k: bigint): bigint {
  let [r0, r1, s0, s1] = [n, k, 0n, 1n]
  while (r1 > 0n) {
    const quotient = r0 / r1
    ;[r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1]
  }
  return s0 < 0n ? s0 + n : s0
}

/** The inverses of all, with one inversion. */
function invertAll(all: readonly bigint[]): bigint[] {
  let product = 1n
  const before = all.map((k) => {
    const products = product
    product = (product * k) % n
    return products
  })
  let rest = inverse(product)
  const inverses: bigint[] = new Array(all.length)
  for (let i = all.length - 1; i >= 0; i--) {
    inverses[i] = (rest * before[i]!) % n
    rest = (rest * all[i]!) % n
  }
  return inverses
}

// The places in a slot of assembly/recovery/module.ts.
const halvesAt = [32, 56] as const
const halfWords = 3
const fixedAt = 80
const fixedWords = 5
const signsAt = [120, 121] as const
const parityAt = 122
const isPointAt = 123
const keyAt = 128
const keyLength = 64

/** Creates the recovery of batches; undefined on machines whose multiply-add rounds twice. */
export function createBatchRecovery(): BatchRecovery | undefined {
  const wasm = instantiateWasm<RecoveryModule>(compileWasm('recovery'))
  if (!wasm.isFused(1 + 2 ** -30)) return undefined
  const bytes = new Uint8Array(wasm.memory.buffer)
  const view = new DataView(wasm.memory.buffer)

  /** Writes a number, least byte first. */
  function writeWords(at: number, words: number, k: bigint): void {
    for (let i = 0; i < words; i++) {
      view.setBigUint64(at + 8 * i, BigInt.asUintN(64, k), true)
      k >>= 64n
    }
  }

  function writeSlot(at: number, r: Uint8Array, parity: number, u1: bigint, u2: bigint): void {
    bytes.set(r, at)
    for (const [i, k] of splitScalar(u2).entries()) {
      writeWords(at + halvesAt[i]!, halfWords, k < 0n ? -k : k)
      bytes[at + signsAt[i]!] = k < 0n ? 1 : 0
    }
    writeWords(at + fixedAt, fixedWords, isOdd(u1) ? u1 : u1 + n)
    bytes[at + parityAt] = parity
  }

  for (const [i, k] of [gx, gy, beta, p - 7n].entries()) writeHighestFirst(view, wasm.slotAt(0) + 32 * i, k)
  wasm.setUp()

  return {
    recover(inputs) {
      const keys: (Uint8Array | undefined)[] = new Array(inputs.length).fill(undefined)
      const valid = [...inputs.keys()].filter((i) => isValid(inputs[i]!.rs))
      if (valid.length === 0) return keys
      const inverses = invertAll(valid.map((i) => bytesToBigInt(inputs[i]!.rs.subarray(0, 32))))
      for (const [slot, i] of valid.entries()) {
        const { digest, rs, parity } = inputs[i]!
        const u1 = n - ((bytesToBigInt(digest) * inverses[slot]!) % n)
        const u2 = (bytesToBigInt(rs.subarray(32)) * inverses[slot]!) % n
        writeSlot(wasm.slotAt(slot), rs.subarray(0, 32), parity, u1, u2)
      }
      // The last one has nobody beside it: it goes with itself.
      const last = wasm.slotAt(valid.length - 1)
      if (valid.length % 2 === 1) bytes.copyWithin(wasm.slotAt(valid.length), last, last + keyAt)
      if (!wasm.recover((valid.length + 1) >> 1)) return undefined
      for (const [slot, i] of valid.entries()) {
        const at = wasm.slotAt(slot)
        if (bytes[at + isPointAt] === 1) keys[i] = bytes.subarray(at + keyAt, at + keyAt + keyLength)
      }
      return keys
    },
  }
}

function isValid(rs: Uint8Array): boolean {
  return isScalar(rs.subarray(0, 32)) && isScalar(rs.subarray(32))
}

/** Whether it is a number from 1 to the order − 1. */
function isScalar(bytes: Uint8Array): boolean {
  const k = bytesToBigInt(bytes)
  return k > 0n && k < n
}

function writeHighestFirst(view: DataView, at: number, k: bigint): void {
  for (let i = 3; i >= 0; i--) {
    view.setBigUint64(at + 8 * i, BigInt.asUintN(64, k))
    k >>= 64n
  }
}
