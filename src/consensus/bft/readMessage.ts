import { type Address, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeRlp } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { plainForm } from './messageEncoding.ts'
import type { BftKind, BftMessage, BftReader } from './messages.ts'
import { authorOf, readSignedCommit, readSignedDigest } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

const kinds: readonly BftKind[] = ['proposal', 'prepare', 'commit', 'roundChange']

/** The kind of message that a code of the sub-protocol stands for; undefined for unused codes. */
export function kindOf({ codes }: BftProtocol, code: number): BftKind | undefined {
  return kinds.find((kind) => codes[kind] === code)
}

/** The part of a message that its sender has signed. */
function signedPart(kind: BftKind, data: Uint8Array): Uint8Array {
  const isBare = kind === 'prepare' || kind === 'commit'
  return isBare ? data : rlpMembers(data)[0]!
}

const payloadOf = (kind: BftKind, data: Uint8Array) => rlpMembers(rlpMembers(signedPart(kind, data))[0]!)

/** The height of a message, without looking further; throws on what has none. */
export function heightOf(protocol: BftProtocol, kind: BftKind, data: Uint8Array): bigint {
  return protocol.height.read(decodeRlp(payloadOf(kind, data)[0]!))
}

/** The round of a message, without looking further; throws on what has none. */
export function roundOf(protocol: BftProtocol, kind: BftKind, data: Uint8Array): number {
  return protocol.round.read(decodeRlp(payloadOf(kind, data)[1]!))
}

/** Who sent a message first; throws on what nobody has signed. Costs the same however long the message is. */
export function readAuthor(protocol: BftProtocol, kind: BftKind, data: Uint8Array, reader: BftReader): Address {
  return authorOf(protocol, kind, signedPart(kind, data), reader)
}

/** Reads a message in full, with the authors of all that is signed in it; throws on anything that is not one. */
export function readMessage(protocol: BftProtocol, kind: BftKind, data: Uint8Array, reader: BftReader): BftMessage {
  switch (kind) {
    case 'proposal':
      return protocol.readProposal(data, reader)
    case 'prepare':
      return { kind, signed: readSignedDigest(protocol, kind, data, reader) }
    case 'commit':
      return { kind, signed: readSignedCommit(protocol, data, reader) }
    case 'roundChange':
      return protocol.readRoundChange(data, reader)
  }
}

/** What was read, or why it cannot be. */
type Reading<T> = { readonly value: T } | { readonly reason: string }

/** Bytes of peers may be anything. */
export function attempt<T>(read: () => T): Reading<T> {
  try {
    return { value: read() }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** How a machine reads the bytes of peers; each function throws on what it cannot read. */
export interface MessageReading {
  /** Returns a short key for what the bytes say: that of another encoding of the same is the same. */
  keyOf(kind: BftKind, data: Uint8Array): string
  heightOf(kind: BftKind, data: Uint8Array): bigint
  roundOf(kind: BftKind, data: Uint8Array): number
  authorOf(kind: BftKind, data: Uint8Array): Address
  /** Reads a message in full, unless one of its lists is longer than `maxListed`. */
  read(kind: BftKind, data: Uint8Array, maxListed: number): BftMessage
}

/** Gives the same answer again while the question is the same. */
function rememberLast<Q extends readonly unknown[], A>(answer: (...question: Q) => A): (...question: Q) => A {
  let last: { readonly question: Q; readonly answer: A } | undefined
  return (...question) => {
    const asked = last?.question
    if (!last || !asked?.every((part, i) => part === question[i])) last = { question, answer: answer(...question) }
    return last.answer
  }
}

/** Remembers the last message: a proposal is read when it is foreseen and again when it is handled, and is long. */
export function createMessageReading(protocol: BftProtocol, reader: BftReader): MessageReading {
  return {
    keyOf: rememberLast((kind, data) => keyOf(keccak256(plainForm(protocol, kind, data)))),
    heightOf: (kind, data) => heightOf(protocol, kind, data),
    roundOf: (kind, data) => roundOf(protocol, kind, data),
    authorOf: rememberLast((kind, data) => readAuthor(protocol, kind, data, reader)),
    read: rememberLast((kind, data, maxListed) => readMessage(protocol, kind, data, { ...reader, maxListed })),
  }
}
