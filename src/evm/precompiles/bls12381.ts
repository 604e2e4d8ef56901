import type { Precompile } from '../precompile.ts'
import { bls12381, type Group } from './bls12381Curve.ts'
import { g1SumGas, g2SumGas, pairingGas, pairingLength } from './bls12381Gas.ts'
import { sizes } from './mcl.ts'
import { booleanWord, isPairingOne } from './pairing.ts'

/** Adds two points, which need not be in the subgroup. */
function add({ encodedLength, p, q, read, add, write }: Group, input: Uint8Array): Uint8Array | undefined {
  if (input.length !== 2 * encodedLength || !read(p, input, 0) || !read(q, input, encodedLength)) return undefined
  add(p, p, q)
  return write(p)
}

/** Adds points of the subgroup, each multiplied by the scalar that follows it. */
function sumOfMultiples(group: Group, input: Uint8Array): Uint8Array | undefined {
  const { mcl, size, encodedLength, p } = group
  const pairLength = encodedLength + 32
  if (input.length === 0 || input.length % pairLength !== 0) return undefined
  const count = input.length / pairLength
  const points = mcl.scratch(count * (size + sizes.fr))
  const scalars = points + count * size
  let used = 0
  for (let at = 0; at < input.length; at += pairLength) {
    const point = points + used * size
    if (!group.read(point, input, at) || !group.isInSubgroup(point)) return undefined
    // Infinity adds nothing: the next point overwrites it.
    if (group.isZero(point)) continue
    mcl.readScalar(scalars + used++ * sizes.fr, input.subarray(at + encodedLength, at + pairLength))
  }
  mcl.clear(p, size)
  if (used > 0) group.sum(p, points, scalars, used)
  return group.write(p)
}

export const bls12381G1Add: Precompile = {
  name: 'BLS12_G1ADD',
  gas: () => 375n,
  run: (input) => add(bls12381().g1, input),
}

export const bls12381G1Sum: Precompile = {
  name: 'BLS12_G1MSM',
  gas: g1SumGas,
  run: (input) => sumOfMultiples(bls12381().g1, input),
}

export const bls12381G2Add: Precompile = {
  name: 'BLS12_G2ADD',
  gas: () => 600n,
  run: (input) => add(bls12381().g2, input),
}

export const bls12381G2Sum: Precompile = {
  name: 'BLS12_G2MSM',
  gas: g2SumGas,
  run: (input) => sumOfMultiples(bls12381().g2, input),
}

/** Checks whether a product of pairings is one. */
export const bls12381Pairing: Precompile = {
  name: 'BLS12_PAIRING_CHECK',
  gas: pairingGas,
  run(input) {
    if (input.length === 0 || input.length % pairingLength !== 0) return undefined
    const { mcl, g1, g2 } = bls12381()
    const isOne = isPairingOne(
      mcl,
      input.length / pairingLength,
      (i, p, q) =>
        g1.read(p, input, i * pairingLength) &&
        g2.read(q, input, i * pairingLength + g1.encodedLength) &&
        g1.isInSubgroup(p) === 1 &&
        g2.isInSubgroup(q) === 1,
    )
    return booleanWord(isOne)
  },
}

/** Maps a field element to a point of the first group. */
export const bls12381MapG1: Precompile = {
  name: 'BLS12_MAP_FP_TO_G1',
  gas: () => 5500n,
  run(input) {
    const { mcl, points, g1, element } = bls12381()
    if (input.length !== 64 || !points.readElement(element, input, 0)) return undefined
    mcl.lib.mclBnFp_mapToG1(g1.p, element)
    return g1.write(g1.p)
  },
}

/** Maps an element of the quadratic extension to a point of the second group. */
export const bls12381MapG2: Precompile = {
  name: 'BLS12_MAP_FP2_TO_G2',
  gas: () => 23_800n,
  run(input) {
    const { mcl, points, g2, element } = bls12381()
    if (input.length !== 128 || !points.readPair(element, input, 0)) return undefined
    mcl.lib.mclBnFp2_mapToG2(g2.p, element)
    return g2.write(g2.p)
  },
}
