import { concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { type CborValue, decodeCbor, encodeCbor } from './cbor.ts'
import { refusals } from './fault.ts'
import { checkPayload, type SealedPayload } from './payload.ts'

/** Encodes a payload as Tesseras send it to those that announce API version 5.0: members in Tessera's order. */
export function encodePayloadCbor(payload: SealedPayload): Uint8Array {
  const members: readonly (readonly [string, CborValue])[] = [
    ['sender', payload.sender],
    ['cipherText', payload.cipherText],
    ['nonce', payload.nonce],
    ['recipientNonce', payload.recipientNonce],
    ['recipientBoxes', payload.boxes],
    ['recipients', payload.recipients],
    ['privacyFlag', 0],
    ['affected', new Map()],
    ['execHash', emptyBytes],
    ['mandatoryFor', []],
    ['privacyGroupId', payload.privacyGroupId],
  ]
  return concatBytes(...encodeCbor(new Map(members)))
}

/** Undoes `encodePayloadCbor`, with the members in any order. */
export function decodePayloadCbor(bytes: Uint8Array): SealedPayload {
  const members = decodeCbor(bytes)
  if (!(members instanceof Map)) throw refusals.invalid('it is not a map')
  if ((members.get('privacyFlag') ?? 0) !== 0) throw refusals.invalid('a privacy mode that is not supported')
  const bytesOf = (name: string) => requireBytes(members.get(name) ?? emptyBytes, name)
  const listOf = (name: string) => {
    const list = members.get(name)
    if (!Array.isArray(list)) throw refusals.invalid(`${name} is not a list`)
    return list.map((item) => requireBytes(item, name))
  }
  return checkPayload({
    sender: bytesOf('sender'),
    cipherText: bytesOf('cipherText'),
    nonce: bytesOf('nonce'),
    recipientNonce: bytesOf('recipientNonce'),
    boxes: listOf('recipientBoxes'),
    recipients: listOf('recipients'),
    privacyGroupId: bytesOf('privacyGroupId'),
  })
}

function requireBytes(value: CborValue, name: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw refusals.invalid(`${name} is not a byte string`)
  return value
}
