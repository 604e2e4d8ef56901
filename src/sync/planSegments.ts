import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { atFault } from './fault.ts'

/** A block that is part of our chain, or of the chain that is being downloaded. */
export interface Anchor {
  readonly number: bigint
  readonly hash: Hash32
}

/** The blocks of the target's chain after one anchor up to the next. */
export interface Segment {
  readonly base: Anchor
  readonly length: number
  /** Hash of its last block; undefined for the last segment, which only the target itself can send. */
  readonly lastHash: Hash32 | undefined
}

/** Headers of a segment: as many as every client sends in one answer. */
export const segmentLength = 192
/** Anchors of one request. */
const maxAnchors = 64

/** Divides the target's chain after `ancestor` into segments that can be downloaded from different peers. */
export async function* planSegments(target: EthPeer, ancestor: Anchor, height: bigint): AsyncGenerator<Segment> {
  let base = ancestor
  while (height - base.number >= segmentLength) {
    const anchors = await target.headers({
      start: base.number + BigInt(segmentLength),
      count: Math.min(maxAnchors, Number((height - base.number) / BigInt(segmentLength))),
      skip: segmentLength - 1,
      reverse: false,
    })
    if (anchors.length === 0)
      throw atFault(target, 'uselessPeer', 'it does not send the headers of the chain that it announced')
    for (const { header, hash } of anchors) {
      yield { base, length: segmentLength, lastHash: hash }
      base = { number: header.number, hash }
    }
  }
  if (height > base.number) yield { base, length: Number(height - base.number), lastHash: undefined }
}
