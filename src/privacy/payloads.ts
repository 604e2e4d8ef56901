import { equalBytes } from '../primitives/bytes.ts'
import { fromBase64 } from './base64.ts'
import { type Enclave, EnclaveError } from './enclave.ts'
import { PrivacyError } from './fault.ts'
import { decodePrivateTx, type PrivateTx } from './privateTx.ts'

/** A private transaction as the manager gave it, and its group. */
export interface ReceivedTx {
  readonly tx: PrivateTx
  readonly group: Uint8Array
}

/** The transaction of a key; undefined if this node does not take part. An EnclaveError says that the manager is unavailable. */
export async function receiveTx(enclave: Enclave, key: Uint8Array): Promise<ReceivedTx | undefined> {
  const received = await unlessRefused(enclave.receive(key))
  if (!received) return undefined
  const group = fromBase64(received.privacyGroupId)
  const tx = decodeOrSkip(received.payload)
  const sender = fromBase64(received.senderKey)
  if (!tx || !sender || group?.length !== 32 || !equalBytes(tx.privateFrom, sender)) return undefined
  return { tx, group }
}

/** Whether the transaction may be executed: where it names a group, the manager knows it and the sender is a member. */
export async function isForMembers(enclave: Enclave, { tx }: ReceivedTx, groupId: string): Promise<boolean> {
  if ('privateFor' in tx.recipients) return true
  const group = await unlessRefused(enclave.retrieveGroup(groupId))
  return group?.members.some((member) => equalBytes(fromBase64(member) ?? new Uint8Array(), tx.privateFrom)) ?? false
}

async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof EnclaveError && error.at.code === 'ENCLAVE_REFUSED') return undefined
    throw error
  }
}

function decodeOrSkip(payload: Uint8Array): PrivateTx | undefined {
  try {
    return decodePrivateTx(payload)
  } catch (error) {
    if (error instanceof PrivacyError) return undefined
    throw error
  }
}
