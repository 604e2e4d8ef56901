import { equalBytes } from '../../primitives/bytes.ts'
import { fromBase64, toBase64 } from '../enclave/base64.ts'
import { type Enclave, EnclaveError } from '../enclave/enclave.ts'
import { PrivacyError } from '../fault.ts'
import { decodeHistory, type History } from '../flexible/history.ts'
import { isAddition } from '../flexible/managementContract.ts'
import { addedParticipants } from '../flexible/participants.ts'
import { decodeVersionedTx } from '../flexible/versionedTx.ts'
import { type GroupKind, splitMarker } from '../sending/markers.ts'
import { decodePrivateTx, type PrivateTx, txGroupId } from '../sending/privateTx.ts'

/** A private transaction as the manager gave it, and its group. */
export interface ReceivedTx {
  readonly tx: PrivateTx
  readonly group: Uint8Array
  /** The bytes that the manager has. */
  readonly payload: Uint8Array
  /** The version of a flexible group that the transaction is for. */
  readonly version?: Uint8Array
  /** What the group has executed before, if the transaction adds this node to it. */
  readonly history?: History
}

/** What the manager has of a key. */
export type Fetched =
  | { readonly kind: 'received'; readonly received: ReceivedTx }
  /** It is of other parties, or has not come yet. */
  | { readonly kind: 'missing' }
  /** It cannot be executed, now or later. */
  | { readonly kind: 'unusable'; readonly reason: string }

/** The transaction of a marker; an EnclaveError says that the manager is unavailable. */
export async function fetchTx(enclave: Enclave, marked: Uint8Array, kind: GroupKind): Promise<Fetched> {
  const given = await unlessRefused(enclave.receive(splitMarker(marked).key))
  if (!given) return { kind: 'missing' }
  const { payload } = given
  const label = fromBase64(given.privacyGroupId)
  const sender = fromBase64(given.senderKey)
  const found = readPayload(payload)
  if (!found || (kind === 'flexible') !== (found.version !== undefined))
    return unusable('the payload is not a private transaction')
  if (!sender || !equalBytes(found.tx.privateFrom, sender))
    return unusable('another key than privateFrom has sealed it')
  const group = txGroupId(found.tx)
  const received = { ...found, group, payload }
  // A manager files what goes to a flexible group under its recipients: the transaction itself names the group.
  if (kind === 'flexible')
    return 'privacyGroupId' in found.tx.recipients ? { kind: 'received', received } : unusable('it names no group')
  // Anyone who hands a payload over can change its label, but not what is sealed.
  if (!label || !equalBytes(label, group)) return unusable('it was sent to another group than it names')
  return { kind: 'received', received }
}

/** Where groups are kept, and the keys of this node at its manager, as far as they are known. */
export interface FetchTerms {
  readonly kind: GroupKind
  readonly ownKeys: readonly Uint8Array[]
}

/**
 * The same for execution. Where the transaction names a group that the manager keeps, the manager must know it, with the
 * sender among the members. One that adds this node to a flexible group comes with the group's history.
 */
export async function fetchForExecution(
  enclave: Enclave,
  marked: Uint8Array,
  { kind, ownKeys }: FetchTerms,
): Promise<Fetched> {
  const fetched = await fetchTx(enclave, marked, kind)
  if (fetched.kind !== 'received' || 'privateFor' in fetched.received.tx.recipients) return fetched
  if (kind === 'flexible') return addHistory(enclave, marked, fetched.received, ownKeys)
  const { tx, group } = fetched.received
  const known = await unlessRefused(enclave.retrieveGroup(toBase64(group)))
  if (!known) return { kind: 'missing' }
  const from = toBase64(tx.privateFrom)
  return known.members.includes(from) ? fetched : unusable('its sender is not a member of the group')
}

async function addHistory(
  enclave: Enclave,
  marked: Uint8Array,
  received: ReceivedTx,
  ownKeys: readonly Uint8Array[],
): Promise<Fetched> {
  const { tx } = received
  const { historyKey } = splitMarker(marked)
  const added = historyKey && isAddition(tx) ? addedParticipants(tx.data) : []
  const isAdded = added.some((key) => ownKeys.some((own) => equalBytes(own, key)))
  if (!historyKey || !(isAdded || (ownKeys.length === 0 && added.length > 0))) return { kind: 'received', received }
  const given = await unlessRefused(enclave.receive(historyKey))
  if (!given) return isAdded ? { kind: 'missing' } : { kind: 'received', received }
  const sender = fromBase64(given.senderKey)
  if (!sender || !equalBytes(sender, tx.privateFrom)) return unusable('its history comes from another sender')
  const history = decodeOrSkip(() => decodeHistory(given.payload))
  return history ? { kind: 'received', received: { ...received, history } } : unusable('its history cannot be decoded')
}

/** The transaction in a payload, with the version of a flexible group if it is for one; undefined if there is none. */
export function readPayload(
  payload: Uint8Array,
): { readonly tx: PrivateTx; readonly version?: Uint8Array } | undefined {
  const tx = decodeOrSkip(() => decodePrivateTx(payload))
  return tx ? { tx } : decodeOrSkip(() => decodeVersionedTx(payload))
}

function decodeOrSkip<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof PrivacyError) return undefined
    throw error
  }
}

function unusable(reason: string): Fetched {
  return { kind: 'unusable', reason }
}

/** The answer of a manager; undefined if it refused. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof EnclaveError && error.at.code === 'ENCLAVE_REFUSED') return undefined
    throw error
  }
}
