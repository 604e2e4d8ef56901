import { decode, encode, Tokenizer } from 'cborg'
import { emptyBytes } from '../primitives/bytes.ts'
import { refusals } from './fault.ts'
import { checkPayload, type SealedPayload } from './payload.ts'

/** Encodes a payload as Tesseras send it to those that announce API version 5.0: members in Tessera's order. */
export function encodePayloadCbor(payload: SealedPayload): Uint8Array {
  const members = new Map<string, unknown>([
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
  ])
  return encode(members, { mapSorter: inOrder })
}

/** Leaves members in their order: CBOR's own would be by length. */
const inOrder = () => 0

/** Undoes `encodePayloadCbor`, with the members in any order. */
export function decodePayloadCbor(bytes: Uint8Array): SealedPayload {
  const members = membersIn(bytes)
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

/** Parts of the largest payload: two lists with an item for each recipient. */
const maxParts = 100_000

/** Reads no more parts than a payload has: a stranger's millions of numbers would keep the thread busy for seconds. */
class Parts extends Tokenizer {
  private left = maxParts

  override next() {
    if (this.left-- === 0) throw new Error('it has too many parts')
    return super.next()
  }
}

function membersIn(bytes: Uint8Array): ReadonlyMap<unknown, unknown> {
  let value: unknown
  try {
    // What is taken out of a Buffer would be part of its memory.
    const own = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    value = decode(own, { useMaps: true, tokenizer: new Parts(own) })
  } catch (error) {
    throw refusals.invalid(error instanceof Error ? error.message : String(error))
  }
  if (!(value instanceof Map)) throw refusals.invalid('it is not a map')
  return value
}

function requireBytes(value: unknown, name: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw refusals.invalid(`${name} is not a byte string`)
  return value
}
