import { createMemory, instantiate } from './wasm.ts'

/** Address in the module's memory. */
export type Pointer = number

type Unary = (out: Pointer, x: Pointer) => void
type Binary = (out: Pointer, x: Pointer, y: Pointer) => void
type Sum = (out: Pointer, points: Pointer, scalars: Pointer, count: number) => void
type Test = (x: Pointer) => 0 | 1
type Read = (out: Pointer, bytes: Pointer, length: number) => number

/** The exports of the library that are used here. Setters return 0 for success. */
interface MclExports {
  __wasm_call_ctors(): void
  malloc(size: number): Pointer
  free(at: Pointer): void
  mclBn_init(curve: number, compiledFor: number): number
  mclBn_setMapToMode(mode: number): number
  mclBn_verifyOrderG1(verify: 0 | 1): void
  mclBn_verifyOrderG2(verify: 0 | 1): void
  mclBnFp_setInt32(out: Pointer, value: number): void
  /** Reads little-endian bytes; returns how many it read, 0 for a number that is not in the field. */
  mclBnFp_deserialize: Read
  mclBnFp_getLittleEndian: (bytes: Pointer, size: number, x: Pointer) => number
  /** Whether the element is above half of the field's order. */
  mclBnFp_isNegative: Test
  mclBnFp_neg: Unary
  mclBnFp_sqr: Unary
  mclBnFp_inv: Unary
  mclBnFp_add: Binary
  mclBnFp_mul: Binary
  /** Returns a value other than 0 if there is no root. */
  mclBnFp_squareRoot: (out: Pointer, x: Pointer) => number
  mclBnFp_mapToG1: Unary
  mclBnFp2_mul: Binary
  mclBnFp2_mapToG2: Unary
  mclBnFr_setBigEndianMod: Read
  mclBnFr_div: Binary
  mclBnG1_getBasePoint(out: Pointer): void
  mclBnG1_isValid: Test
  mclBnG1_isValidOrder: Test
  mclBnG1_isZero: Test
  mclBnG1_normalize: Unary
  mclBnG1_neg: Unary
  mclBnG1_add: Binary
  mclBnG1_sub: Binary
  mclBnG1_mul: Binary
  mclBnG1_mulVec: Sum
  mclBnG2_isValid: Test
  mclBnG2_isValidOrder: Test
  mclBnG2_isZero: Test
  mclBnG2_isEqual: (x: Pointer, y: Pointer) => 0 | 1
  mclBnG2_normalize: Unary
  mclBnG2_dbl: Unary
  mclBnG2_add: Binary
  mclBnG2_mulVec: Sum
  mclBn_millerLoopVec: Sum
  mclBn_finalExp: Unary
  mclBnGT_isOne: Test
}

/** Sizes of the library's values, the same for all curves. */
export const sizes = { fp: 48, fp2: 96, fr: 32, g1: 144, g2: 288, gt: 576 } as const

const curves = {
  bn254: { id: 4, fieldBytes: 32 },
  bls12381: { id: 5, fieldBytes: 48 },
  p256: { id: 107, fieldBytes: 32 },
} as const

/** Limbs of the field and of the group that the module was compiled for. */
const compiledFor = 46
/** The mode of hash-to-curve by RFC 9380. */
const mapOfRfc9380 = 5

/** One instance of the library for one curve, with bytes in Ethereum's order. */
export interface Mcl {
  readonly lib: MclExports
  alloc(size: number): Pointer
  /** Returns at least `size` bytes, valid until the next call; for arrays whose length depends on the input. */
  scratch(size: number): Pointer
  copy(to: Pointer, from: Pointer, size: number): void
  clear(at: Pointer, size: number): void
  /** Reads a field element from big-endian bytes; returns false if it is not below the field's order. */
  readField(out: Pointer, bytes: Uint8Array): boolean
  /** Writes a field element as big-endian bytes that end before `end`. */
  writeField(out: Uint8Array, end: number, x: Pointer): void
  /** Reads a scalar from big-endian bytes, reduced modulo the group's order. */
  readScalar(out: Pointer, bytes: Uint8Array): void
}

/** Initialises the library for a curve, which takes some tens of milliseconds. */
export function createMcl(curve: keyof typeof curves): Mcl {
  const { id, fieldBytes } = curves[curve]
  const memory = createMemory(32)
  const lib = instantiate<MclExports>('mcl', { env: { memory } })
  lib.__wasm_call_ctors()
  if (lib.mclBn_init(id, compiledFor) !== 0) throw new Error(`mcl does not know the curve ${curve}`)
  if (curve === 'bls12381') lib.mclBn_setMapToMode(mapOfRfc9380)
  // isValid must check the curve only: the subgroup is checked separately where it is required.
  lib.mclBn_verifyOrderG1(0)
  lib.mclBn_verifyOrderG2(0)

  let view = new Uint8Array(memory.buffer)
  const bytes = () => (view.length === 0 ? (view = new Uint8Array(memory.buffer)) : view)
  const io = lib.malloc(64)
  let area = { at: lib.malloc(64), size: 64 }

  return {
    lib,
    alloc: lib.malloc,
    scratch(size) {
      if (size > area.size) {
        lib.free(area.at)
        area = { at: lib.malloc(size), size }
      }
      return area.at
    },
    copy: (to, from, size) => void bytes().copyWithin(to, from, from + size),
    clear: (at, size) => void bytes().fill(0, at, at + size),
    readField(out, input) {
      const memory = bytes()
      for (let i = 0; i < fieldBytes; i++) memory[io + i] = input[fieldBytes - 1 - i]!
      return lib.mclBnFp_deserialize(out, io, fieldBytes) !== 0
    },
    writeField(out, end, x) {
      const length = lib.mclBnFp_getLittleEndian(io, 64, x)
      const memory = bytes()
      for (let i = 0; i < length; i++) out[end - 1 - i] = memory[io + i]!
    },
    readScalar(out, input) {
      bytes().set(input, io)
      lib.mclBnFr_setBigEndianMod(out, io, input.length)
    },
  }
}
