import { Fault } from '../primitives/fault.ts'

/** Why a range of a trie is not proven. */
export type RangeFault =
  /** Keys do not ascend, lie before the origin, differ in length, or have no value. */
  | { code: 'RANGE_NOT_SORTED'; index: number }
  /** A node on the path to the origin or to the last key is not in the proof. */
  | { code: 'PROOF_INCOMPLETE'; depth: number }
  /** A node is not one of a trie whose keys have this length. */
  | { code: 'PROOF_MALFORMED'; reason: string }
  /** Nodes are not on the path to the origin or to the last key. */
  | { code: 'PROOF_SURPLUS'; nodes: number }
  /** The trie has other keys or values in the range: some were left out, added or altered. */
  | { code: 'RANGE_MISMATCH'; depth: number }

/** Thrown for a range that its proof does not prove. */
export class RangeProofError extends Fault<RangeFault> {}
