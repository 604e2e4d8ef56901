import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { isAddition, isManagement, selectors } from './managementContract.ts'
import { addedParticipants, decodeParticipants } from './participants.ts'

/** What decides whether a flexible group executes a transaction. */
export interface GatedTx {
  readonly to: Address | undefined
  readonly data: Uint8Array
  readonly privateFrom: Uint8Array
  readonly version: Uint8Array
}

/** Calls the proxy of the group in the state before the transaction; returns the output. */
type Ask = (data: Uint8Array) => Uint8Array

/**
 * Whether a flexible group executes a transaction: it adds members only while it is locked and does nothing but
 * management then, the transaction is for the group as it is, and its sender is a member, of a new group a future one.
 */
export function mayExecute(tx: GatedTx, ask: Ask): boolean {
  const adds = isAddition(tx)
  const isLocked = ask(selectors.canExecute).every((byte) => byte === 0)
  if (adds ? !isLocked : isLocked && !isManagement(tx)) return false
  if (!equalBytes(ask(selectors.getVersion), tx.version)) return false
  const members = decodeParticipants(ask(selectors.getParticipants))
  const allowed = members.length === 0 && adds ? addedParticipants(tx.data) : members
  return allowed.some((key) => equalBytes(key, tx.privateFrom))
}
