import { equalBytes } from '../primitives/bytes.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { type Enclave, EnclaveError } from './enclave.ts'
import { PrivacyError } from './fault.ts'
import { decodePrivateTx, type PrivateTx, txGroupId } from './privateTx.ts'

/** A private transaction as the manager gave it, and its group. */
export interface ReceivedTx {
  readonly tx: PrivateTx
  readonly group: Uint8Array
  /** The bytes that the manager has. */
  readonly payload: Uint8Array
}

/** What the manager has of a key. */
export type Fetched =
  | { readonly kind: 'received'; readonly received: ReceivedTx }
  /** It is of other parties, or has not come yet. */
  | { readonly kind: 'missing' }
  /** It cannot be executed, now or later. */
  | { readonly kind: 'unusable'; readonly reason: string }

/** The transaction of a key; an EnclaveError says that the manager is unavailable. */
export async function fetchTx(enclave: Enclave, key: Uint8Array): Promise<Fetched> {
  const given = await unlessRefused(enclave.receive(key))
  if (!given) return { kind: 'missing' }
  const { payload } = given
  const label = fromBase64(given.privacyGroupId)
  const sender = fromBase64(given.senderKey)
  const tx = txOfPayload(payload)
  if (!tx) return unusable('the payload is not a private transaction')
  if (!sender || !equalBytes(tx.privateFrom, sender)) return unusable('another key than privateFrom has sealed it')
  // Whoever hands a payload over can change its label, but not what is sealed.
  const group = txGroupId(tx)
  if (!label || !equalBytes(label, group)) return unusable('it was sent to another group than it names')
  return { kind: 'received', received: { tx, group, payload } }
}

/** The same for execution: where the transaction names a group, the manager must know it, with the sender among the members. */
export async function fetchForExecution(enclave: Enclave, key: Uint8Array): Promise<Fetched> {
  const fetched = await fetchTx(enclave, key)
  if (fetched.kind !== 'received' || 'privateFor' in fetched.received.tx.recipients) return fetched
  const { tx, group } = fetched.received
  const known = await unlessRefused(enclave.retrieveGroup(toBase64(group)))
  if (!known) return { kind: 'missing' }
  const from = toBase64(tx.privateFrom)
  return known.members.includes(from) ? fetched : unusable('its sender is not a member of the group')
}

/** The transaction in a payload; undefined if there is none. */
export function txOfPayload(payload: Uint8Array): PrivateTx | undefined {
  try {
    return decodePrivateTx(payload)
  } catch (error) {
    if (error instanceof PrivacyError) return undefined
    throw error
  }
}

function unusable(reason: string): Fetched {
  return { kind: 'unusable', reason }
}

async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof EnclaveError && error.at.code === 'ENCLAVE_REFUSED') return undefined
    throw error
  }
}
