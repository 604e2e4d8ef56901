import { Fault } from '../../src/primitives/fault.ts'

/** Why a Merkle proof is invalid. */
export type ProofFault =
  /** A node on the path is missing. */
  | { code: 'PROOF_INCOMPLETE'; missing: number }
  /** A node does not have the hash that its parent refers to. */
  | { code: 'PROOF_NODE_MISMATCH'; node: number }
  /** A node is not a valid trie node. */
  | { code: 'PROOF_NODE_MALFORMED'; node: number }
  /** The proof has nodes that are not on the path. */
  | { code: 'PROOF_UNUSED_NODES'; used: number; given: number }
export class ProofError extends Fault<ProofFault> {}
