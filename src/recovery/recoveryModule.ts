import { curveOrder } from '../primitives/secp256k1.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from '../primitives/wasm.ts'

/** What assembly/module.ts does; see there. */
export interface RecoveryModule {
  readonly memory: WasmMemory
  slotAt(i: number): number
  multiplyAll(count: number): number
  setScalars(count: number): void
  recover(pairs: number): number
}

interface NewModule extends RecoveryModule {
  isFused(x: number): number
  constantsAt(): number
  setUp(): void
}

/** The places of a signature's parts from the start of its slot. */
export const slotParts = {
  r: 0,
  halves: [32, 56],
  u1: 80,
  signs: [120, 121],
  parity: 122,
  isPoint: 123,
  s: 128,
  digest: 160,
  key: 128,
} as const

/** 64-bit words of a number modulo the order, of half of one, and of u₁. */
export const scalarWords = 4
export const halfWords = 3
export const u1Words = 5

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
const inverseB2 = ((b2 << quotientBits) + n / 2n) / n
const inverseB1 = ((-b1 << quotientBits) + n / 2n) / n

/** The constants of assembly/scalars.ts, with the number of their words. */
const constants: readonly (readonly [bigint, number])[] = [
  [n, scalarWords],
  [2n ** 256n - n, halfWords],
  [inverseB2, scalarWords],
  [inverseB1, scalarWords],
  ...[-a1, -b1, -a2, -b2].map((k) => [k, halfWords] as const),
]

/** Creates the module; undefined on machines whose multiply-add rounds twice. */
export function createRecoveryModule(): RecoveryModule | undefined {
  const wasm = instantiateWasm<NewModule>(compileWasm('recovery'))
  if (!wasm.isFused(1 + 2 ** -30)) return undefined
  const view = new DataView(wasm.memory.buffer)
  let at = wasm.constantsAt()
  for (const [k, words] of constants) {
    writeNumber(view, at, words, k)
    at += 8 * words
  }
  for (const [i, k] of [gx, gy, beta, p - 7n].entries()) writeHighestFirst(view, wasm.slotAt(0) + 32 * i, k)
  wasm.setUp()
  return wasm
}

/** Reads a number, lowest byte first. */
export function readNumber(view: DataView, at: number, words: number): bigint {
  let k = 0n
  for (let i = words - 1; i >= 0; i--) k = (k << 64n) | view.getBigUint64(at + 8 * i, true)
  return k
}

/** Writes a number, lowest byte first. */
export function writeNumber(view: DataView, at: number, words: number, k: bigint): void {
  for (let i = 0; i < words; i++) view.setBigUint64(at + 8 * i, BigInt.asUintN(64, k >> BigInt(64 * i)), true)
}

function writeHighestFirst(view: DataView, at: number, k: bigint): void {
  for (let i = 0; i < 4; i++) view.setBigUint64(at + 24 - 8 * i, BigInt.asUintN(64, k >> BigInt(64 * i)))
}
