import type { Hash32 } from '../../primitives/bytes.ts'
import { encodeRlp, encodeRlpList, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { type Block, encodeBlock } from '../../types/block.ts'
import { type Header, headerFromRlp } from '../../types/header.ts'
import { badMessage } from './fault.ts'
import { decodeSparse, rlpParts, rlpPartsOf } from './rlpParts.ts'

/** A NewBlock message; the body stays encoded. */
export interface NewBlock {
  readonly header: Header
  readonly totalDifficulty: bigint
  /** Encoded block, a view into the message. */
  readonly encoded: Uint8Array
}

/** Header, transactions, ommers and withdrawals. */
const blockParts = 4

export function decodeNewBlock(payload: Uint8Array): NewBlock {
  const [block, totalDifficulty] = rlpPartsOf(payload, 2)
  const [header] = rlpParts(block!, blockParts)
  if (!header) throw badMessage('block without header')
  return {
    header: headerFromRlp(decodeSparse(header)),
    totalDifficulty: rlpScalar(decodeSparse(totalDifficulty!)),
    encoded: block!,
  }
}

export function encodeNewBlock(block: Block, totalDifficulty: bigint): Uint8Array {
  return encodeRlpList([encodeBlock(block), encodeRlp(scalar(totalDifficulty))])
}

/** A block announced by hash. */
export interface AnnouncedBlock {
  readonly hash: Hash32
  readonly number: bigint
}

export function encodeNewBlockHashes(blocks: readonly AnnouncedBlock[]): Uint8Array {
  return encodeRlp(blocks.map(({ hash, number }) => [hash, scalar(number)]))
}

/** Maximum announced blocks in a message; usual are a few. */
const maxAnnounced = 1024

export function decodeNewBlockHashes(payload: Uint8Array): AnnouncedBlock[] {
  return rlpParts(payload, maxAnnounced).map((part) => {
    const [hash, number] = rlpList(decodeSparse(part), 2)
    return { hash: rlpBytes(hash, 32).slice() as Hash32, number: rlpScalar(number, 64) }
  })
}
