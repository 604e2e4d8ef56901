import type { Hash32 } from '../../primitives/bytes.ts'
import { encodeRlpList } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { type Block, decodeBlock, encodeBlock } from '../../types/block.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { bftCommitHash } from './bftHash.ts'
import type { BftCodec, BftExtraData } from './extraData.ts'

/** A block on its way through the rounds, with what is asked of it again and again. */
export interface ProposedBlock {
  readonly block: Block
  /** As on the wire. */
  readonly bytes: Uint8Array
  readonly data: BftExtraData
  /** Its commit hash as it stands, with the round that it carries. */
  readonly digest: Hash32
}

function proposed(codec: BftCodec, block: Block, bytes: Uint8Array): ProposedBlock {
  const data = codec.decode(block.header.extraData)
  return { block, bytes, data, digest: bftCommitHash(codec, block.header, data) }
}

/** Throws on whatever is not exactly a block with extra data of this layout. */
export function readProposedBlock(codec: BftCodec, bytes: Uint8Array): ProposedBlock {
  return proposed(codec, decodeBlock(bytes), bytes)
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

/** The same block, carrying another round. */
export function withRound(codec: BftCodec, from: ProposedBlock, round: number): ProposedBlock {
  const header = headerWith(codec, from, round, [])
  const [, ...body] = rlpMembers(from.bytes)
  return proposed(codec, { ...from.block, header }, encodeRlpList([encodeHeader(header), ...body]))
}

/** What committers of a round sign, and what the digest was when the block carried that round. */
export function commitHashAt(codec: BftCodec, { block, data, digest }: ProposedBlock, round: number): Hash32 {
  return round === data.round ? digest : bftCommitHash(codec, block.header, { ...data, round })
}

/** The final form, as it is imported and announced. */
export function sealBlock(codec: BftCodec, from: ProposedBlock, round: number, seals: readonly Uint8Array[]): Block {
  return { ...from.block, header: headerWith(codec, from, round, seals) }
}
