import { createHash } from 'node:crypto'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { cellsPerBlob } from '../../types/blobSidecar.ts'
import { bls12381 } from '../precompiles/bls12381Curve.ts'
import { type Pointer, sizes } from '../precompiles/mcl.ts'
import { isPairingOne } from '../precompiles/pairing.ts'
import { lazy } from '../precompiles/wasm.ts'
import { blobValues, valuesPerBlob } from './blobValues.ts'
import { ceremony } from './ceremony.ts'
import { groupOrder, invert, reversedRoots, rootOfUnity } from './scalarField.ts'

/** A blob is extended to twice its length and cut into cells, each with a proof. */
const valuesPerCell = (2 * valuesPerBlob) / cellsPerBlob
/** Number of blocks of 64 coefficients in a polynomial. */
const blocks = valuesPerBlob / valuesPerCell

const room = lazy(() => {
  const { mcl } = bls12381()
  return {
    commitment: mcl.alloc(sizes.g1),
    proofs: mcl.alloc(cellsPerBlob * sizes.g1),
    left: mcl.alloc(sizes.g1),
    right: mcl.alloc(sizes.g1),
    scalars: mcl.alloc(cellsPerBlob * sizes.fr),
  }
})

/** For each cell the 64th power of its evaluation points, which is the same for all of them. */
const cellPowers = lazy(() => reversedRoots(cellsPerBlob))

/** Twiddle factors of each round of the transform, those for blocks of two first. */
const turns = lazy(() => {
  const rounds: bigint[][] = []
  for (let size = 2; size <= valuesPerBlob; size *= 2) {
    const root = invert(rootOfUnity(size))
    const factors = [1n]
    while (factors.length < size / 2) factors.push((factors.at(-1)! * root) % groupOrder)
    rounds.push(factors)
  }
  return rounds
})

/** Returns the coefficients of the polynomial with these values at the bit-reversed roots of unity; overwrites the array. */
function coefficientsOf(values: bigint[]): bigint[] {
  for (const factors of turns()) {
    const half = factors.length
    for (let start = 0; start < values.length; start += 2 * half)
      for (let i = 0; i < half; i++) {
        const even = values[start + i]!
        const odd = (values[start + half + i]! * factors[i]!) % groupOrder
        values[start + i] = even + odd >= groupOrder ? even + odd - groupOrder : even + odd
        values[start + half + i] = even < odd ? even - odd + groupOrder : even - odd
      }
  }
  const scale = invert(BigInt(values.length))
  return values.map((value) => (value * scale) % groupOrder)
}

/** Returns the weights r⁰, r¹ … that let all cells be checked at once; r is a hash of everything that is checked. */
function weightsOf(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): bigint[] {
  const hash = createHash('sha256').update(blob).update(commitment)
  for (const proof of proofs) hash.update(proof)
  const r = bytesToBigInt(hash.digest()) % groupOrder
  const weights = [1n]
  while (weights.length < cellsPerBlob) weights.push((weights.at(-1)! * r) % groupOrder)
  return weights
}

/**
 * Returns the coefficients of Σ wₖ·Iₖ, where Iₖ has the polynomial's values on cell k. With cₖ for the 64th power of the
 * cell's points, Iₖ is the remainder modulo X⁶⁴ − cₖ, so each block of 64 coefficients is multiplied by a power of cₖ.
 */
function weightedRemainder(coefficients: readonly bigint[], weights: readonly bigint[]): bigint[] {
  const powers = cellPowers()
  let factors = weights
  const sum = new Array<bigint>(valuesPerCell).fill(0n)
  for (let block = 0; block < blocks; block++) {
    const factor = factors.reduce((total, f) => total + f) % groupOrder
    for (let j = 0; j < valuesPerCell; j++) sum[j]! += coefficients[block * valuesPerCell + j]! * factor
    factors = factors.map((f, k) => (f * powers[k]!) % groupOrder)
  }
  return sum.map((value) => value % groupOrder)
}

/** Writes the sum of the points, each multiplied by its factor. */
function sumOf(out: Pointer, points: Pointer, factors: readonly bigint[]): void {
  const { mcl, g1 } = bls12381()
  const { scalars } = room()
  for (const [i, factor] of factors.entries()) mcl.readScalar(scalars + i * sizes.fr, toWord(factor))
  g1.sum(out, points, scalars, factors.length)
}

/**
 * Returns whether the proofs of all cells show that a commitment is the blob's (EIP-7594):
 * e(Σ wₖ·πₖ, s⁶⁴·G₂) = e(Σ wₖ·(C − Iₖ(s)·G₁ + cₖ·πₖ), G₂).
 */
export function verifyCellProofs(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): boolean {
  const values = blobValues(blob)
  if (!values) return false
  const { mcl, g1, g2 } = bls12381()
  const { lib } = mcl
  const { readCompressed, powersG1, generatorG2, secretPowerG2 } = ceremony()
  const at = room()
  if (!readCompressed(at.commitment, commitment)) return false
  if (!proofs.every((proof, k) => readCompressed(at.proofs + k * sizes.g1, proof))) return false

  const weights = weightsOf(blob, commitment, proofs)
  sumOf(at.left, at.proofs, weights)
  sumOf(
    at.right,
    at.proofs,
    weights.map((weight, k) => (weight * cellPowers()[k]!) % groupOrder),
  )
  sumOf(g1.p, powersG1, weightedRemainder(coefficientsOf(values), weights))
  lib.mclBnG1_sub(at.right, at.right, g1.p)
  sumOf(g1.p, at.commitment, [weights.reduce((total, weight) => total + weight) % groupOrder])
  lib.mclBnG1_add(at.right, at.right, g1.p)
  lib.mclBnG1_neg(at.left, at.left)
  lib.mclBnG1_normalize(at.left, at.left)
  lib.mclBnG1_normalize(at.right, at.right)
  const isOne = isPairingOne(mcl, 2, (i, p, q) => {
    mcl.copy(p, i === 0 ? at.left : at.right, g1.size)
    mcl.copy(q, i === 0 ? secretPowerG2 : generatorG2, g2.size)
    return true
  })
  return isOne === true
}
