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

/** What the contract of a group says about it. */
export interface GateAnswers {
  readonly isLocked: boolean
  readonly version: Uint8Array
  readonly members: readonly Uint8Array[]
}

/** Calls the proxy of the group in its state as it is; returns the output. */
type Ask = (data: Uint8Array) => Promise<Uint8Array>

export async function askGate(ask: Ask): Promise<GateAnswers> {
  return {
    isLocked: (await ask(selectors.canExecute)).every((byte) => byte === 0),
    version: await ask(selectors.getVersion),
    members: decodeParticipants(await ask(selectors.getParticipants)),
  }
}

/**
 * Whether a flexible group executes a transaction: it adds members only while it is locked and does nothing but
 * management then, the transaction is for the group as it is, and its sender is a member, of a new group a future one.
 */
export function mayExecute(tx: GatedTx, { isLocked, version, members }: GateAnswers): boolean {
  const adds = isAddition(tx)
  if (adds ? !isLocked : isLocked && !isManagement(tx)) return false
  if (!equalBytes(version, tx.version)) return false
  const allowed = members.length === 0 && adds ? addedParticipants(tx.data) : members
  return allowed.some((key) => equalBytes(key, tx.privateFrom))
}
