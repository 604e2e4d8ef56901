import type { Enode } from '../net/enode.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'

/** The answer of a rule; `unclear` if it could not be asked, or gave an answer that is neither. */
export type Verdict = 'allowed' | 'refused' | 'unclear'

/** Decides who may send transactions. */
export interface TxRule {
  check(tx: Tx, sender: Address): Verdict
}

/** Decides which nodes may be connected. */
export interface NodeRule {
  /** Whether a connection from one node to another is allowed; an unclear answer is a refusal. */
  allows(source: Enode, destination: Enode): boolean
  /** Calls the listener after each change of the rule. Returns a function that ends this. */
  onChange(listener: () => void): () => void
}
