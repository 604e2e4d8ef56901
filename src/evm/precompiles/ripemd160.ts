import { getHashes, hash } from 'node:crypto'
import { ripemd160 as inJavaScript } from '@noble/hashes/legacy.js'
import { padLeft } from '../../primitives/bytes.ts'
import type { Precompile } from '../precompile.ts'
import { gasPerWord } from './gasPerWord.ts'

// OpenSSL may be built or configured without this old algorithm.
const digest: (input: Uint8Array) => Uint8Array = getHashes().includes('ripemd160')
  ? (input) => hash('ripemd160', input, 'buffer')
  : inJavaScript

/** RIPEMD-160, padded to a word. */
export const ripemd160: Precompile = {
  name: 'RIPEMD160',
  gas: gasPerWord(600, 120),
  run: (input) => padLeft(digest(input), 32),
}
