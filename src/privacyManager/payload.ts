import { concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { countField, createFieldReader, field, listField } from './byteFields.ts'
import { refusals } from './fault.ts'

/** A sealed payload, as it is stored and travels: everything but the sender and the recipients is unreadable without a key. */
export interface SealedPayload {
  readonly sender: Uint8Array
  readonly cipherText: Uint8Array
  readonly nonce: Uint8Array
  /** One nonce for all boxes. */
  readonly recipientNonce: Uint8Array
  /** The master key, sealed for each recipient. */
  readonly boxes: readonly Uint8Array[]
  readonly recipients: readonly Uint8Array[]
  readonly privacyGroupId: Uint8Array
}

/** Bytes of keys, hashes and group ids; of nonces; of a sealed master key. */
export const keyLength = 32
const nonceLength = 24
const boxLength = 48
/** Recipients of one payload. */
const maxRecipients = 1000

/** The only one of Tessera's privacy modes that Besu uses. */
const standardPrivate = 0

/** Encodes a payload in Tessera's own binary form, which every version of it reads. */
export function encodePayload(payload: SealedPayload): Uint8Array {
  return concatBytes(
    field(payload.sender),
    field(payload.cipherText),
    field(payload.nonce),
    listField(payload.boxes),
    field(payload.recipientNonce),
    listField(payload.recipients),
    field(Uint8Array.of(standardPrivate)),
    countField(0),
    payload.privacyGroupId.length > 0 ? field(payload.privacyGroupId) : emptyBytes,
  )
}

/** Undoes `encodePayload`; the privacy group is missing in what Tessera sends to validate a key. */
export function decodePayload(bytes: Uint8Array): SealedPayload {
  const reader = createFieldReader(bytes)
  const sender = reader.field()
  const cipherText = reader.field()
  const nonce = reader.field()
  const boxes = reader.list()
  const recipientNonce = reader.field()
  const recipients = reader.list()
  if (!reader.isAtEnd()) {
    const flag = reader.field()
    if (flag.length !== 1 || flag[0] !== standardPrivate) throw refusals.invalid('a privacy mode that is not supported')
    if (reader.count() !== 0) throw refusals.invalid('affected transactions are not supported')
  }
  const privacyGroupId = reader.isAtEnd() ? emptyBytes : reader.field()
  if (!reader.isAtEnd()) throw refusals.invalid('something follows')
  return checkPayload({ sender, cipherText, nonce, recipientNonce, boxes, recipients, privacyGroupId })
}

/** Returns a payload all of whose parts have the lengths that they must have. */
export function checkPayload(payload: SealedPayload): SealedPayload {
  const { sender, nonce, recipientNonce, boxes, recipients, privacyGroupId } = payload
  const fits =
    sender.length === keyLength &&
    nonce.length === nonceLength &&
    recipientNonce.length === nonceLength &&
    boxes.length === recipients.length &&
    boxes.length > 0 &&
    boxes.length <= maxRecipients &&
    boxes.every(({ length }) => length === boxLength) &&
    recipients.every(({ length }) => length === keyLength) &&
    (privacyGroupId.length === 0 || privacyGroupId.length === keyLength)
  if (!fits) throw refusals.invalid('a part has the wrong length')
  return payload
}
