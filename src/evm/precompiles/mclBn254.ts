import { createSubgroupTest } from './bn254Subgroup.ts'
import { createMcl, sizes } from './mcl.ts'
import { isPairingOne } from './pairing.ts'
import { createPoints } from './points.ts'

/** The curve operations of the precompiles that our own arithmetic has too; points are encoded as in their input. */
export interface Bn254 {
  /** Multiplies a point by a scalar, 96 bytes; undefined if the point is invalid. */
  multiply(input: Uint8Array): Uint8Array | undefined
  /** Returns whether the product of the pairings of pairs of 192 bytes is one; undefined if a pair is invalid. */
  isPairingOne(input: Uint8Array): boolean | undefined
}

/** The library's curve, which adds points as well. */
export interface MclBn254 extends Bn254 {
  /** Adds two points, 128 bytes; undefined if one is invalid. */
  add(input: Uint8Array): Uint8Array | undefined
}

/** The curve of the mcl library. */
export function createMclBn254(): MclBn254 {
  const mcl = createMcl('bn254')
  const points = createPoints(mcl, { elementBytes: 32, fieldBytes: 32, first: 'imaginary' })
  const isInSubgroup = createSubgroupTest(mcl)
  const p = mcl.alloc(sizes.g1)
  const q = mcl.alloc(sizes.g1)
  const scalar = mcl.alloc(sizes.fr)
  return {
    add(input) {
      if (!points.readG1(p, input, 0) || !points.readG1(q, input, 64)) return undefined
      mcl.lib.mclBnG1_add(p, p, q)
      return points.writeG1(p)
    },
    multiply(input) {
      if (!points.readG1(p, input, 0)) return undefined
      // The curve's order is prime, so a scalar may be reduced by it for every point.
      mcl.readScalar(scalar, input.subarray(64))
      mcl.lib.mclBnG1_mul(p, p, scalar)
      return points.writeG1(p)
    },
    isPairingOne: (input) =>
      isPairingOne(
        mcl,
        input.length / 192,
        (i, g1, g2) =>
          points.readG1(g1, input, i * 192) &&
          points.readG2(g2, input, i * 192 + 64) &&
          (mcl.lib.mclBnG2_isZero(g2) === 1 || isInSubgroup(g2)),
      ),
  }
}
