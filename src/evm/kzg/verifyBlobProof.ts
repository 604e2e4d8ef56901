import { createHash } from 'node:crypto'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { lazy } from '../precompiles/wasm.ts'
import { blobValues, valuesPerBlob } from './blobValues.ts'
import { isEvaluation } from './isEvaluation.ts'
import { groupOrder, invert, reversedRoots } from './scalarField.ts'

const roots = lazy(() => reversedRoots(valuesPerBlob))
const inverseOfCount = lazy(() => invert(BigInt(valuesPerBlob)))

/** Prefix of the challenge's input: its domain and, in 16 bytes, the number of values. */
const domain = Buffer.concat([Buffer.from('FSBLOBVERIFY_V1_'), Buffer.from('1000'.padStart(32, '0'), 'hex')])

/** Returns the point at which the blob's polynomial is evaluated: a hash, so that nobody can choose it. */
function challenge(blob: Uint8Array, commitment: Uint8Array): bigint {
  const digest = createHash('sha256').update(domain).update(blob).update(commitment).digest()
  return bytesToBigInt(digest) % groupOrder
}

/** Returns the value at `z` of the polynomial with these values at the roots of unity ω: Σ vᵢ·ωᵢ·∏(z − ωⱼ), j ≠ i, over their count. */
function evaluate(values: readonly bigint[], z: bigint): bigint {
  const at = roots()
  let sum = 0n
  let product = 1n
  for (let i = 0; i < valuesPerBlob; i++) {
    const root = at[i]!
    const difference = z - root
    sum = (sum * difference + ((values[i]! * root) % groupOrder) * product) % groupOrder
    product = (product * difference) % groupOrder
  }
  const value = (sum * inverseOfCount()) % groupOrder
  return value < 0n ? value + groupOrder : value
}

/** Returns whether a proof shows that a commitment is the blob's (EIP-4844). */
export function verifyBlobProof(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean {
  const values = blobValues(blob)
  if (!values) return false
  const z = challenge(blob, commitment)
  return isEvaluation(commitment, toWord(z), toWord(evaluate(values, z)), proof)
}
