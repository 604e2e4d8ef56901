import { emptyBytes, equalBytes, type Hash32, toHash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import type { BftReader, PreparedBlock } from './messages.ts'
import { readSignedDigest } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

/** A message that this validator has signed, as it is sent. */
export interface OwnMessage {
  readonly code: number
  readonly data: Uint8Array
}

/** What a validator must remember across a restart: what it signed in the latest round of the latest height. */
export interface BftRecord {
  readonly height: bigint
  /** Messages of earlier rounds of this height are not signed any more. */
  readonly round: number
  /** The only digest that this validator votes for in this round. */
  readonly digest: Hash32 | undefined
  /** Messages signed in this round, which are sent again unchanged. */
  readonly messages: readonly OwnMessage[]
  /** The prepared block that round changes must include. */
  readonly prepared: PreparedBlock | undefined
}

function preparedToRlp({ block, certificate }: PreparedBlock): RlpItem {
  const { round, digest, proposal, prepares } = certificate
  return [scalar(round), digest, block.bytes, proposal?.bytes ?? emptyBytes, prepares.map(({ bytes }) => bytes)]
}

export function encodeBftRecord(protocol: BftProtocol, record: BftRecord): Uint8Array {
  const { height, round, digest, messages, prepared } = record
  return encodeRlp([
    Buffer.from(protocol.name),
    scalar(height),
    scalar(round),
    digest ?? emptyBytes,
    messages.map(({ code, data }) => [scalar(code), data]),
    prepared ? preparedToRlp(prepared) : [],
  ])
}

function preparedFromRlp(
  protocol: BftProtocol,
  item: RlpItem | undefined,
  reader: BftReader,
): PreparedBlock | undefined {
  if (rlpList(item).length === 0) return undefined
  const [round, digest, block, proposal, prepares] = rlpList(item, 5)
  const read = (kind: 'proposal' | 'prepare', bytes: Uint8Array) => readSignedDigest(protocol, kind, bytes, reader)
  const proposed = rlpBytes(proposal)
  return {
    block: reader.block(rlpBytes(block)),
    certificate: {
      round: Number(rlpScalar(round, 32)),
      digest: toHash32(rlpBytes(digest)),
      proposal: proposed.length > 0 ? read('proposal', proposed) : undefined,
      prepares: rlpList(prepares).map((bytes) => read('prepare', rlpBytes(bytes))),
    },
  }
}

/** A record read back after a restart. */
export interface RestoredRecord {
  /** Nothing is signed at this height or below any more. */
  readonly closedHeight: bigint
  /** Undefined if another protocol wrote the record, before the network migrated to this one. */
  readonly record: BftRecord | undefined
}

/** Throws if the record is malformed: without it, the validator cannot know what it may sign. */
export function decodeBftRecord(protocol: BftProtocol, bytes: Uint8Array, reader: BftReader): RestoredRecord {
  const [name, at, round, digest, messages, prepared] = rlpList(decodeRlp(bytes), 6)
  const height = rlpScalar(at, 64)
  if (!equalBytes(rlpBytes(name), Buffer.from(protocol.name))) return { closedHeight: height, record: undefined }
  const voted = rlpBytes(digest)
  const record = {
    height,
    round: Number(rlpScalar(round, 32)),
    digest: voted.length > 0 ? toHash32(voted) : undefined,
    messages: rlpList(messages).map((item) => {
      const [code, data] = rlpList(item, 2)
      return { code: Number(rlpScalar(code, 32)), data: rlpBytes(data) }
    }),
    prepared: preparedFromRlp(protocol, prepared, reader),
  }
  return { closedHeight: height - 1n, record }
}
