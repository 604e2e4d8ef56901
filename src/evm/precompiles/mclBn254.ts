import { createSubgroupTest } from './bn254Subgroup.ts'
import { createMcl, sizes } from './mcl.ts'
import { isPairingOne } from './pairing.ts'
import { createPoints } from './points.ts'

/** The curve operations of the precompiles; points are encoded as in their input. */
export interface Bn254 {
  /** Multiplies a point by a scalar, 96 bytes; undefined if the point is invalid. */
  multiply(input: Uint8Array): Uint8Array | undefined
  /** Returns whether the product of the pairings of pairs of 192 bytes is one; undefined if a pair is invalid. */
  isPairingOne(input: Uint8Array): boolean | undefined
}

/** The curve of the mcl library, which is faster where an inverse is needed. */
export interface MclBn254 extends Bn254 {
  /** Adds two points, 128 bytes; undefined if one is invalid. */
  add(input: Uint8Array): Uint8Array | undefined
  /** Replaces the 32 bytes of a field element by those of its inverse. */
  invert(bytes: Uint8Array): void
}

export function createMclBn254(): MclBn254 {
  const mcl = createMcl('bn254')
  const points = createPoints(mcl, { elementBytes: 32, fieldBytes: 32, first: 'imaginary' })
  const isInSubgroup = createSubgroupTest(mcl)
  const p = mcl.alloc(sizes.g1)
  const q = mcl.alloc(sizes.g1)
  const scalar = mcl.alloc(sizes.fr)
  const element = mcl.alloc(sizes.fp)
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
    invert(bytes) {
      mcl.readField(element, bytes)
      mcl.lib.mclBnFp_inv(element, element)
      bytes.fill(0)
      mcl.writeField(bytes, 32, element)
    },
  }
}
