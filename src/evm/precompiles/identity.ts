import type { Precompile } from '../precompile.ts'
import { gasPerWord } from './gasPerWord.ts'

/** Gives back what it gets. */
export const identity: Precompile = {
  name: 'ID',
  gas: gasPerWord(15, 3),
  // The input may be a view of memory that the caller goes on to change.
  run: (input) => input.slice(),
}
