import { concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { blobHashOf } from '../../types/blobSidecar.ts'
import { valuesPerBlob } from '../kzg/blobValues.ts'
import { isEvaluation } from '../kzg/isEvaluation.ts'
import { groupOrder } from '../kzg/scalarField.ts'
import type { Precompile } from '../precompile.ts'

/** Verifies the value of a blob's polynomial at a point (EIP-4844). */
export const pointEvaluation: Precompile = {
  name: 'KZG_POINT_EVALUATION',
  gas: () => 50_000n,
  run(input) {
    if (input.length !== 192) return undefined
    const [z, y, commitment] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(96, 144)]
    if (!equalBytes(input.subarray(0, 32), blobHashOf(commitment))) return undefined
    if (bytesToBigInt(z) >= groupOrder || bytesToBigInt(y) >= groupOrder) return undefined
    if (!isEvaluation(commitment, z, y, input.subarray(144))) return undefined
    return concatBytes(toWord(BigInt(valuesPerBlob)), toWord(groupOrder))
  },
}
