import { emptyBytes, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { curve, publicKeyToAddress } from '../../primitives/secp256k1.ts'
import type { Precompile } from '../precompile.ts'
import { readPadded } from './readPadded.ts'

/** Recovers the signer of a digest: input (digest, v, r, s), output a word, empty if the signature is invalid. */
export const ecrecover: Precompile = {
  name: 'ECREC',
  gas: () => 3000n,
  run(input) {
    const words = readPadded(input, 0, 128)
    for (let i = 32; i < 63; i++) if (words[i] !== 0) return emptyBytes
    const v = words[63]!
    if (v !== 27 && v !== 28) return emptyBytes
    const publicKey = curve.recover(words.subarray(0, 32) as Hash32, words.subarray(64, 128), v - 27)
    return publicKey ? padLeft(publicKeyToAddress(publicKey), 32) : emptyBytes
  },
}
