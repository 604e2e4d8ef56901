import { type Address, type Hash32, toHash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, encodeRlpList, rlpBytes } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { sealLength } from '../recoverSeal.ts'
import { MessageError } from './fault.ts'
import type { BftKind, BftReader, BftView, CommitPayload, DigestPayload, Signed } from './messages.ts'
import type { BftProtocol } from './protocol.ts'

/** Encodes height and round, the first two items of every payload. */
export function encodeView(protocol: BftProtocol, { height, round }: BftView): readonly [Uint8Array, Uint8Array] {
  return [encodeRlp(protocol.height.write(height)), encodeRlp(protocol.round.write(round))]
}

export function readView(protocol: BftProtocol, members: readonly Uint8Array[]): BftView {
  return { height: protocol.height.read(decodeRlp(members[0]!)), round: protocol.round.read(decodeRlp(members[1]!)) }
}

export function readHash(member: Uint8Array): Hash32 {
  return toHash32(rlpBytes(decodeRlp(member), 32))
}

export function encodeDigestPayload(protocol: BftProtocol, { digest, ...view }: DigestPayload): Uint8Array {
  return encodeRlpList([...encodeView(protocol, view), encodeRlp(digest)])
}

export function encodeCommitPayload(protocol: BftProtocol, { digest, seal, ...view }: CommitPayload): Uint8Array {
  return encodeRlpList([...encodeView(protocol, view), encodeRlp(digest), encodeRlp(seal)])
}

/** Encodes a payload with its signature. */
export function encodeSigned(payload: Uint8Array, signature: Uint8Array): Uint8Array {
  return encodeRlpList([payload, encodeRlp(signature)])
}

/** Decodes a signed payload of `count` items and recovers its author. */
export function readSigned<P>(
  protocol: BftProtocol,
  kind: BftKind,
  bytes: Uint8Array,
  reader: BftReader,
  count: number | undefined,
  readPayload: (members: readonly Uint8Array[]) => P,
): Signed<P> {
  const [payload, signature] = rlpMembers(bytes, 2)
  const digest = protocol.signingDigest(protocol.codes[kind], payload!)
  const author = reader.author(digest, rlpBytes(decodeRlp(signature!), sealLength))
  return { payload: readPayload(rlpMembers(payload!, count)), author, bytes }
}

/** Reads a list of signed payloads; one that is too long is refused before any signature is looked at. */
export function readSignedList<P>(
  bytes: Uint8Array,
  { maxListed }: BftReader,
  read: (member: Uint8Array) => Signed<P>,
): Signed<P>[] {
  const members = rlpMembers(bytes)
  if (members.length > maxListed)
    throw new MessageError({ code: 'LIST_TOO_LONG', max: maxListed, have: members.length })
  return members.map(read)
}

/** Who signed a message, without reading what is in it. */
export function authorOf(protocol: BftProtocol, kind: BftKind, signed: Uint8Array, reader: BftReader): Address {
  return readSigned(protocol, kind, signed, reader, undefined, () => undefined).author
}

/** A signed payload of a view and a digest: a prepare, and IBFT 2.0's proposal. */
export function readSignedDigest(
  protocol: BftProtocol,
  kind: 'proposal' | 'prepare',
  bytes: Uint8Array,
  reader: BftReader,
): Signed<DigestPayload> {
  return readSigned(protocol, kind, bytes, reader, 3, (members) => ({
    ...readView(protocol, members),
    digest: readHash(members[2]!),
  }))
}

export function readSignedCommit(protocol: BftProtocol, bytes: Uint8Array, reader: BftReader): Signed<CommitPayload> {
  return readSigned(protocol, 'commit', bytes, reader, 4, (members) => ({
    ...readView(protocol, members),
    digest: readHash(members[2]!),
    seal: rlpBytes(decodeRlp(members[3]!), sealLength),
  }))
}
