import { createMcl, type Mcl, type Pointer, sizes } from './mcl.ts'
import { createPoints } from './points.ts'
import { lazy } from './wasm.ts'

/** One of the curve's two groups. */
export interface Group {
  readonly mcl: Mcl
  /** Bytes of a point in the library's memory. */
  readonly size: number
  /** Bytes of a point in a contract's memory. */
  readonly encodedLength: number
  /** Scratch space for two points. */
  readonly p: Pointer
  readonly q: Pointer
  /** Reads a point; returns false if it is not on the curve. */
  read(out: Pointer, input: Uint8Array, at: number): boolean
  write(point: Pointer): Uint8Array
  isZero(point: Pointer): 0 | 1
  isInSubgroup(point: Pointer): 0 | 1
  add(out: Pointer, x: Pointer, y: Pointer): void
  /** Writes the sum of `count` points, each multiplied by its scalar. */
  sum(out: Pointer, points: Pointer, scalars: Pointer, count: number): void
}

/** BLS12-381 with the encoding of EIP-2537. */
export const bls12381 = lazy(() => {
  const mcl = createMcl('bls12381')
  const { lib, alloc } = mcl
  const points = createPoints(mcl, { elementBytes: 64, fieldBytes: 48, first: 'real' })
  const g1: Group = {
    mcl,
    size: sizes.g1,
    encodedLength: 128,
    p: alloc(sizes.g1),
    q: alloc(sizes.g1),
    read: points.readG1,
    write: points.writeG1,
    isZero: lib.mclBnG1_isZero,
    isInSubgroup: lib.mclBnG1_isValidOrder,
    add: lib.mclBnG1_add,
    sum: lib.mclBnG1_mulVec,
  }
  const g2: Group = {
    mcl,
    size: sizes.g2,
    encodedLength: 256,
    p: alloc(sizes.g2),
    q: alloc(sizes.g2),
    read: points.readG2,
    write: points.writeG2,
    isZero: lib.mclBnG2_isZero,
    isInSubgroup: lib.mclBnG2_isValidOrder,
    add: lib.mclBnG2_add,
    sum: lib.mclBnG2_mulVec,
  }
  return { mcl, points, g1, g2, element: alloc(sizes.fp2) }
})
