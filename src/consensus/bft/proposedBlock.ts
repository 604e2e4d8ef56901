import type { Hash32 } from '../../primitives/bytes.ts'
import { encodeRlpList } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { type Block, decodeBlock, encodeBlock, type KnownTx } from '../../types/block.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { bftCommitHash, canonicalHeader } from './bftHash.ts'
import type { BftCodec, BftExtraData } from './extraData.ts'

/** A proposed block with its decoded extra data, encoding and digest. */
export interface ProposedBlock {
  readonly block: Block
  /** RLP encoding of the block. */
  readonly bytes: Uint8Array
  readonly data: BftExtraData
  /** Commit hash with the round that the block carries. */
  readonly digest: Hash32
}

function proposed(codec: BftCodec, block: Block, bytes: Uint8Array): ProposedBlock {
  const data = codec.decode(block.header.extraData)
  return { block, bytes, data, digest: bftCommitHash(codec, block.header, data) }
}

/** Decodes a proposed block and gives it its canonical header; throws on what is no block, or has extra data in another layout. */
export function readProposedBlock(codec: BftCodec, bytes: Uint8Array, knownTx?: KnownTx): ProposedBlock {
  const block = decodeBlock(bytes, knownTx)
  const header = canonicalHeader(codec, block.header)
  return header === block.header
    ? proposed(codec, block, bytes)
    : proposed(codec, { ...block, header }, withHeader(bytes, header))
}

function withHeader(bytes: Uint8Array, header: Header): Uint8Array {
  const [, ...body] = rlpMembers(bytes)
  return encodeRlpList([encodeHeader(header), ...body])
}

export function toProposedBlock(codec: BftCodec, block: Block): ProposedBlock {
  return proposed(codec, block, encodeBlock(block))
}

function headerWith(
  codec: BftCodec,
  { block, data }: ProposedBlock,
  round: number,
  seals: readonly Uint8Array[],
): Header {
  return { ...block.header, extraData: codec.encode({ ...data, round, seals }, 'whole') }
}

/** The same block with another round in its extra data. */
export function withRound(codec: BftCodec, from: ProposedBlock, round: number): ProposedBlock {
  const header = headerWith(codec, from, round, [])
  return proposed(codec, { ...from.block, header }, withHeader(from.bytes, header))
}

/** Commit hash of the block with this round in it. */
export function commitHashAt(codec: BftCodec, { block, data, digest }: ProposedBlock, round: number): Hash32 {
  return round === data.round ? digest : bftCommitHash(codec, block.header, { ...data, round })
}

/** The block with its commit seals, as it is imported and announced. */
export function sealBlock(codec: BftCodec, from: ProposedBlock, round: number, seals: readonly Uint8Array[]): Block {
  return { ...from.block, header: headerWith(codec, from, round, seals) }
}
