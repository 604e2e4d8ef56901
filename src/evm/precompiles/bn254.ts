import { since } from '../../forks/rules.ts'
import type { Precompile } from '../precompile.ts'
import { createSubgroupTest } from './bn254Subgroup.ts'
import { createMcl, sizes } from './mcl.ts'
import { pairingCheck } from './pairing.ts'
import { createPoints } from './points.ts'
import { readPadded } from './readPadded.ts'
import { lazy } from './wasm.ts'

const curve = lazy(() => {
  const mcl = createMcl('bn254')
  return {
    mcl,
    points: createPoints(mcl, { elementBytes: 32, fieldBytes: 32, first: 'imaginary' }),
    isInSubgroup: createSubgroupTest(mcl),
    p: mcl.alloc(sizes.g1),
    q: mcl.alloc(sizes.g1),
    scalar: mcl.alloc(sizes.fr),
  }
})

const pairLength = 192

// Prices: EIP-196 and EIP-197, lowered by EIP-1108 in Istanbul.

/** Sum of two points (EIP-196). */
export const bn254Add: Precompile = {
  name: 'BN254_ADD',
  gas: (_, rules) => (since(rules, 'istanbul') ? 150n : 500n),
  run(input) {
    const { mcl, points, p, q } = curve()
    const two = readPadded(input, 0, 128)
    if (!points.readG1(p, two, 0) || !points.readG1(q, two, 64)) return undefined
    mcl.lib.mclBnG1_add(p, p, q)
    return points.writeG1(p)
  },
}

/** A point times a scalar (EIP-196). */
export const bn254Mul: Precompile = {
  name: 'BN254_MUL',
  gas: (_, rules) => (since(rules, 'istanbul') ? 6000n : 40_000n),
  run(input) {
    const { mcl, points, p, scalar } = curve()
    const both = readPadded(input, 0, 96)
    if (!points.readG1(p, both, 0)) return undefined
    // The curve's order is prime, so that a scalar may be reduced by it whatever the point.
    mcl.readScalar(scalar, both.subarray(64))
    mcl.lib.mclBnG1_mul(p, p, scalar)
    return points.writeG1(p)
  },
}

/** Whether a product of pairings is one (EIP-197). */
export const bn254Pairing: Precompile = {
  name: 'BN254_PAIRING',
  gas(input, rules) {
    const pairs = BigInt(Math.floor(input.length / pairLength))
    return since(rules, 'istanbul') ? 45_000n + 34_000n * pairs : 100_000n + 80_000n * pairs
  },
  run(input) {
    if (input.length % pairLength !== 0) return undefined
    const { mcl, points, isInSubgroup } = curve()
    return pairingCheck(
      mcl,
      input.length / pairLength,
      (i, g1, g2) =>
        points.readG1(g1, input, i * pairLength) &&
        points.readG2(g2, input, i * pairLength + 64) &&
        (mcl.lib.mclBnG2_isZero(g2) === 1 || isInSubgroup(g2)),
    )
  },
}
