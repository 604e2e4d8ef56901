import type { ToSign } from '../../keys/nodeIdentity.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { encodeRlpList, RlpError } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import type { BftCrypto } from './machine.ts'
import type { BftKind } from './messages.ts'
import { messageToSign } from './messageToSign.ts'
import { encodeSigned } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

/**
 * How proposals and round changes are written: as Besu up to 25.12 does, or with a block access list (EIP-7928), as Besu does from
 * 26.1 on. Prepares and commits are the same in both.
 */
export type BftEncoding = 'legacy' | 'accessList'

/** Where the access list stands among the items around it. */
export interface ListPlace {
  readonly at: number
  /** Items, with the list. */
  readonly count: number
  /** Whether it stands in the payload, which is signed; if not, beside it. */
  readonly isSigned: boolean
}

/** A block without an access list, as all blocks before Amsterdam are. */
const noList = Uint8Array.of(0x80)
const firstListByte = 0xc0

/** The items of a message, or of its payload, without an access list, and which encoding they were in. */
export interface Unlisted {
  readonly members: readonly Uint8Array[]
  readonly encoding: BftEncoding
  /** Undefined where there is no list. */
  readonly list: Uint8Array | undefined
}

/** Reads items in either encoding. What a list says is not looked at: a block before Amsterdam has none to compare it with. */
export function withoutList(members: readonly Uint8Array[], { at, count }: ListPlace): Unlisted {
  if (members.length === count - 1) return { members, encoding: 'legacy', list: undefined }
  if (members.length !== count) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: count, have: members.length })
  const list = members[at]!
  const isAbsent = equalBytes(list, noList)
  if (!isAbsent && list[0]! < firstListByte) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  return { members: members.toSpliced(at, 1), encoding: 'accessList', list: isAbsent ? undefined : list }
}

function placeOf({ accessList }: BftProtocol, kind: BftKind): ListPlace | undefined {
  return kind === 'proposal' || kind === 'roundChange' ? accessList[kind] : undefined
}

function unlistedOf(place: ListPlace, data: Uint8Array): Unlisted {
  const message = rlpMembers(data)
  return withoutList(place.isSigned ? rlpMembers(rlpMembers(message[0]!)[0]!) : message, place)
}

/** The encoding of a message; undefined for kinds that have only one. Throws on what is in neither. */
export function encodingOf(protocol: BftProtocol, kind: BftKind, data: Uint8Array): BftEncoding | undefined {
  const place = placeOf(protocol, kind)
  return place && unlistedOf(place, data).encoding
}

/** A message in another encoding, for which its author has to sign it again. */
export interface Unsigned {
  readonly what: ToSign
  /** The whole message. */
  signed(signature: Uint8Array): Uint8Array
}

/**
 * A message in an encoding. What its author has signed can be written otherwise only by its author: it says the same in both. Returns
 * undefined if the message cannot be written so, which is also the case if it has a list.
 */
export function rewritten(
  protocol: BftProtocol,
  kind: BftKind,
  data: Uint8Array,
  encoding: BftEncoding,
): Uint8Array | Unsigned | undefined {
  const place = placeOf(protocol, kind)
  if (!place) return data
  const unlisted = unlistedOf(place, data)
  if (unlisted.encoding === encoding) return data
  if (unlisted.list) return undefined
  const { members } = unlisted
  const written = encodeRlpList(encoding === 'legacy' ? members : members.toSpliced(place.at, 0, noList))
  if (!place.isSigned) return written
  return {
    what: messageToSign(protocol, protocol.codes[kind], written),
    signed: (signature) => encodeRlpList([encodeSigned(written, signature), ...rlpMembers(data).slice(1)]),
  }
}

/** The same by a key that is here; without one what would have to be signed again cannot be written. */
export function inEncoding(
  protocol: BftProtocol,
  kind: BftKind,
  data: Uint8Array,
  encoding: BftEncoding,
  sign: BftCrypto['sign'] | undefined,
): Uint8Array | undefined {
  const form = rewritten(protocol, kind, data, encoding)
  if (!form || form instanceof Uint8Array) return form
  return sign && form.signed(sign(form.what.digest))
}

/** The same bytes for copies of a message that differ only in how they are written; bytes that cannot be read stay as they are. */
export function plainForm(protocol: BftProtocol, kind: BftKind, data: Uint8Array): Uint8Array {
  try {
    return inEncoding(protocol, kind, data, 'legacy', undefined) ?? data
  } catch {
    return data
  }
}
