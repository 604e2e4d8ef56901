import { hash } from 'node:crypto'
import type { Precompile } from '../precompile.ts'
import { gasPerWord } from './gasPerWord.ts'

/** SHA-256. */
export const sha256: Precompile = {
  name: 'SHA256',
  gas: gasPerWord(60, 12),
  run: (input) => hash('sha256', input, 'buffer'),
}
