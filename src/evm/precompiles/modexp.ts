import { emptyBytes, padLeft, trimZeros } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { Precompile } from '../precompile.ts'
import { fusedPower } from './fusedPower.ts'
import { headerLength, modexpGas, readLengths } from './modexpGas.ts'
import { modularPower } from './modularPower.ts'
import { readPadded } from './readPadded.ts'

// Longer numbers cost more gas than any block has (at least 400 million in Byzantium) and more memory than a machine has.
const maxNumberLength = 1n << 26n
const maxExponentLength = 1n << 30n

/** Computes base^exponent mod modulus for numbers of any length (EIP-198); 0 if the modulus is 0. */
export const modexp: Precompile = {
  name: 'MODEXP',
  gas: modexpGas,
  run(input) {
    const lengths = readLengths(input)
    // An exponent of any length is free if base and modulus are empty: it must not be read.
    if (lengths.base === 0n && lengths.modulus === 0n) return emptyBytes
    if (lengths.base > maxNumberLength || lengths.modulus > maxNumberLength) return undefined
    if (lengths.exponent > maxExponentLength) return undefined
    const baseLength = Number(lengths.base)
    const exponentLength = Number(lengths.exponent)
    const modulusLength = Number(lengths.modulus)
    const exponentAt = headerLength + baseLength
    const modulus = trimZeros(readPadded(input, exponentAt + exponentLength, modulusLength))
    if (modulus.length === 0 || (modulus.length === 1 && modulus[0] === 1)) return new Uint8Array(modulusLength)
    const base = bytesToBigInt(readPadded(input, headerLength, baseLength))
    const exponent = trimZeros(readPadded(input, exponentAt, exponentLength))
    return padLeft(modularPower(base, exponent, modulus, fusedPower()), modulusLength)
  },
}
