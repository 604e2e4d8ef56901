import { badMessage } from '../net/eth/fault.ts'
import { rlpParts, rlpPartsOf } from '../net/eth/rlpParts.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { type Block, blockToRlp } from '../types/block.ts'
import { type Header, headerFromRlp } from '../types/header.ts'

/** A block that a peer hands on; its body is left as it is. */
export interface NewBlock {
  readonly header: Header
  readonly totalDifficulty: bigint
  /** The block's own encoding, a view into the message. */
  readonly encoded: Uint8Array
}

export function decodeNewBlock(payload: Uint8Array): NewBlock {
  const [block, totalDifficulty] = rlpPartsOf(payload, 2)
  const [header] = rlpParts(block!)
  if (!header) throw badMessage('a block without a header')
  return {
    header: headerFromRlp(decodeRlp(header)),
    totalDifficulty: rlpScalar(decodeRlp(totalDifficulty!)),
    encoded: block!,
  }
}

export function encodeNewBlock(block: Block, totalDifficulty: bigint): Uint8Array {
  return encodeRlp([blockToRlp(block), scalar(totalDifficulty)])
}

/** A block that a peer only names. */
export interface AnnouncedBlock {
  readonly hash: Hash32
  readonly number: bigint
}

/** Nodes announce a few blocks at a time. */
const mostAnnounced = 1024

export function decodeNewBlockHashes(payload: Uint8Array): AnnouncedBlock[] {
  const parts = rlpParts(payload)
  if (parts.length > mostAnnounced) throw badMessage(`${parts.length} blocks announced at once`)
  return parts.map((part) => {
    const [hash, number] = rlpList(decodeRlp(part), 2)
    return { hash: rlpBytes(hash, 32).slice() as Hash32, number: rlpScalar(number, 64) }
  })
}
