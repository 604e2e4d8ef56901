import { Fault } from '../primitives/fault.ts'
import { EnclaveError } from '../privacy/enclave/enclave.ts'

/** Why a manager does not start. */
export type ManagerFault =
  | { code: 'KEY_FILE_UNREADABLE'; path: string; reason: string }
  | { code: 'KEY_FILE_INVALID'; path: string; reason: string }
  | { code: 'KEY_FILE_EXISTS'; path: string }
  | { code: 'NO_KEYS' }
  | { code: 'INVALID_URL'; url: string }

/** Its message is one line for the operator. */
export class ManagerError extends Fault<ManagerFault> {
  constructor(at: ManagerFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: ManagerFault): string {
  switch (at.code) {
    case 'KEY_FILE_UNREADABLE':
      return `cannot read the key file ${at.path}: ${at.reason}`
    case 'KEY_FILE_INVALID':
      return `${at.path} is not a key file: ${at.reason}`
    case 'KEY_FILE_EXISTS':
      return `${at.path} exists: a key is never overwritten`
    case 'INVALID_URL':
      return `other managers cannot connect to ${at.url}: it is not an http or https URL`
    case 'NO_KEYS':
      return 'a private transaction manager needs at least one key'
  }
}

// The texts are Tessera's: Besu knows some of them by heart.

export function refused(status: number, text: string, cause?: unknown): EnclaveError {
  return new EnclaveError({ code: 'ENCLAVE_REFUSED', status, text }, cause)
}

export function unavailable(text: string, cause?: unknown): EnclaveError {
  return new EnclaveError({ code: 'ENCLAVE_UNAVAILABLE', text }, cause)
}

export const refusals = {
  invalid: (what: string) => refused(400, `Invalid payload data: ${what}`),
  notBase64: (text: string) => refused(400, `Not the base64 of 32 bytes: ${text.slice(0, 100)}`),
  foreignKey: (key: string) => refused(404, `Public key ${key} not found when searching for private key`),
  unknownRecipient: (key: string) => refused(404, `Recipient not found for key: ${key}`),
  unknownPayload: (key: string) => refused(404, `Message with hash ${key} was not found`),
  unknownGroup: (id: string) => refused(404, `Privacy group Id[${id}] not found`),
  withoutSelf: () => refused(403, 'The list of members in a privacy group should include self'),
  notMember: () => refused(403, 'Sender of request does not belong to this privacy group'),
  otherPayload: () => refused(400, 'Invalid existing transaction'),
  deletedGroup: () => refused(409, 'The privacy group was deleted'),
  notAllowed: () => refused(403, 'This key is not among those that this manager has to do with'),
  tooMuch: () => refused(403, 'The sender has stored as much here as it may'),
  alreadySending: () => refused(429, 'The payloads of this key are being sent'),
  unreachable: (cause?: unknown) => refused(410, 'NodePushingToPeer', cause),
} as const
