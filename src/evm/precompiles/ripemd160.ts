import { getHashes } from 'node:crypto'
import { ripemd160 as inJavaScript } from '@noble/hashes/legacy.js'
import { padLeft } from '../../primitives/bytes.ts'
import type { Precompile } from '../precompile.ts'
import { digest } from './digest.ts'
import { gasPerWord } from './gasPerWord.ts'

// OpenSSL may be built or configured without this old algorithm.
const ripemd: (input: Uint8Array) => Uint8Array = getHashes().includes('ripemd160')
  ? (input) => digest('ripemd160', input)
  : inJavaScript

/** Computes RIPEMD-160, padded to a word. */
export const ripemd160: Precompile = {
  name: 'RIPEMD160',
  gas: gasPerWord(600, 120),
  run: (input) => padLeft(ripemd(input), 32),
}
