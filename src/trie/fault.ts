import { Fault } from '../primitives/fault.ts'

/** Why a proof proves nothing. */
export type ProofFault =
  | { code: 'PROOF_INCOMPLETE'; missing: number }
  | { code: 'PROOF_NODE_MISMATCH'; node: number }
  | { code: 'PROOF_NODE_MALFORMED'; node: number }
  | { code: 'PROOF_UNUSED_NODES'; used: number; given: number }
export class ProofError extends Fault<ProofFault> {}
