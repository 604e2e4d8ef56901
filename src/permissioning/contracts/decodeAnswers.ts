import { equalBytes } from '../../primitives/bytes.ts'
import { toWord } from '../../primitives/u256.ts'
import type { Verdict } from '../rules.ts'

/** The words by which a contract allows and refuses. */
export interface Answers {
  readonly allowed: Uint8Array
  readonly refused: Uint8Array
}

/** The words of a function that returns a bool. */
export const boolAnswers: Answers = { allowed: toWord(1n), refused: toWord(0n) }

/** The words of version 1 of the interface for nodes: all bits set, and all but the first. */
export const maskAnswers: Answers = {
  allowed: new Uint8Array(32).fill(0xff),
  refused: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x7f : 0xff)),
}

/** Reads what a contract returned; undefined is a call that failed. */
export function decodeAnswer(output: Uint8Array | undefined, { allowed, refused }: Answers): Verdict {
  if (output && equalBytes(output, allowed)) return 'allowed'
  return output && equalBytes(output, refused) ? 'refused' : 'unclear'
}
