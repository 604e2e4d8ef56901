import { hash } from 'node:crypto'
import { concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { valuesPerBlob } from '../kzg/blobValues.ts'
import { isEvaluation } from '../kzg/isEvaluation.ts'
import { groupOrder } from '../kzg/scalarField.ts'
import type { Precompile } from '../precompile.ts'

/** Returns the versioned hash of a commitment: byte 1, then the rest of its digest. */
function versionedHash(commitment: Uint8Array): Uint8Array {
  const digest = hash('sha256', commitment, 'buffer')
  digest[0] = 1
  return digest
}

/** Verifies the value of a blob's polynomial at a point (EIP-4844). */
export const pointEvaluation: Precompile = {
  name: 'KZG_POINT_EVALUATION',
  gas: () => 50_000n,
  run(input) {
    if (input.length !== 192) return undefined
    const [z, y, commitment] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(96, 144)]
    if (!equalBytes(input.subarray(0, 32), versionedHash(commitment))) return undefined
    if (bytesToBigInt(z) >= groupOrder || bytesToBigInt(y) >= groupOrder) return undefined
    if (!isEvaluation(commitment, z, y, input.subarray(144))) return undefined
    return concatBytes(toWord(BigInt(valuesPerBlob)), toWord(groupOrder))
  },
}
