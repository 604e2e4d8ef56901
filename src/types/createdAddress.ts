import type { Address } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import { senderOf } from './signTx.ts'
import type { Tx } from './transaction.ts'

/** Address of the contract that a transaction creates, even if it failed; undefined if it calls an account. */
export function createdAddress(tx: Tx): Address | undefined {
  const sender = tx.to ? undefined : senderOf(tx)
  return sender && (keccak256(encodeRlp([sender, scalar(tx.nonce)])).subarray(12) as Address)
}
