import { decodeRlp } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import type { BftKind, BftMessage, BftReader } from './messages.ts'
import { readSignedCommit, readSignedDigest } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

const kinds: readonly BftKind[] = ['proposal', 'prepare', 'commit', 'roundChange']

/** The kind of message that a code of the sub-protocol stands for; undefined for unused codes. */
export function kindOf({ codes }: BftProtocol, code: number): BftKind | undefined {
  return kinds.find((kind) => codes[kind] === code)
}

/** Reads only the height of a message; throws if it is malformed. */
export function heightOf(protocol: BftProtocol, kind: BftKind, data: Uint8Array): bigint {
  const isBare = kind === 'prepare' || kind === 'commit'
  const signed = isBare ? data : rlpMembers(data)[0]!
  const payload = rlpMembers(signed)[0]!
  return protocol.height.read(decodeRlp(rlpMembers(payload)[0]!))
}

/** Decodes a message and recovers the authors of all signed parts; throws if it is malformed. */
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
