import { emptyBytes, equalBytes, type Hash32, toHash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import type { BftReader, Prepared } from './messages.ts'
import { readSignedDigest } from './payloads.ts'
import type { BftProtocol } from './protocol.ts'

/** One of the validator's own messages, as it was sent or was about to be. */
export interface OwnMessage {
  readonly code: number
  readonly data: Uint8Array
}

/** What a validator must remember of what it signed: whatever it did earlier is over and done with. */
export interface BftRecord {
  readonly height: bigint
  /** No message of an earlier round of this height is signed any more. */
  readonly round: number
  /** The only digest that is voted for in this round. */
  readonly digest: Hash32 | undefined
  /** What was signed in this round, to be said again in the same words. */
  readonly messages: readonly OwnMessage[]
  /** The block that round changes have to speak of. */
  readonly prepared: Prepared | undefined
}

function preparedToRlp({ block, certificate }: Prepared): RlpItem {
  const { round, digest, proposal, prepares } = certificate
  return [scalar(round), digest, block.bytes, proposal?.bytes ?? emptyBytes, prepares.map(({ bytes }) => bytes)]
}

export function encodeRecord(protocol: BftProtocol, record: BftRecord): Uint8Array {
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

function preparedFromRlp(protocol: BftProtocol, item: RlpItem | undefined, reader: BftReader): Prepared | undefined {
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

/** What is left of a record after a restart. */
export interface RestoredRecord {
  /** Nothing is signed at this height or below. */
  readonly closedHeight: bigint
  /** Undefined when another protocol wrote it, before the network changed to this one. */
  readonly record: BftRecord | undefined
}

/** Throws on anything but a record: without it nobody knows what may be signed. */
export function decodeRecord(protocol: BftProtocol, bytes: Uint8Array, reader: BftReader): RestoredRecord {
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
