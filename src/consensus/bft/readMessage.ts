import { decodeRlp } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import type { BftKind, BftMessage, BftReader } from './messages.ts'
import { readSignedCommit, readSignedDigest } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

const kinds: readonly BftKind[] = ['proposal', 'prepare', 'commit', 'roundChange']

/** What kind of message a code of the sub-protocol is; undefined for codes that are not in use. */
export function kindOf({ codes }: BftProtocol, code: number): BftKind | undefined {
  return kinds.find((kind) => codes[kind] === code)
}

/** The height of a message, without looking further; throws on what has none. */
export function heightOf(protocol: BftProtocol, kind: BftKind, data: Uint8Array): bigint {
  const isBare = kind === 'prepare' || kind === 'commit'
  const signed = isBare ? data : rlpMembers(data)[0]!
  const payload = rlpMembers(signed)[0]!
  return protocol.height.read(decodeRlp(rlpMembers(payload)[0]!))
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
