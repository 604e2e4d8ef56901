import type { Precompile } from '../precompile.ts'
import { digest } from './digest.ts'
import { gasPerWord } from './gasPerWord.ts'

/** Computes SHA-256. */
export const sha256: Precompile = {
  name: 'SHA256',
  gas: gasPerWord(60, 12),
  run: (input) => digest('sha256', input),
}
