import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { atFault } from './fault.ts'

/** A block that is fixed: it is known here, or it is part of the chain that is being fetched. */
export interface Anchor {
  readonly number: bigint
  readonly hash: Hash32
}

/** A stretch of the target's chain, from behind one anchor up to the next. */
export interface Segment {
  readonly base: Anchor
  readonly length: number
  /** Hash of its last block; undefined for the end of the chain, which only the target itself can tell. */
  readonly lastHash: Hash32 | undefined
}

/** Headers of a segment: what every client gives in one answer. */
export const segmentLength = 192
/** Anchors that are asked for at a time. */
const maxAnchors = 64

/** Cuts the target's chain behind `ancestor` into segments that any peers can fill. */
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
      throw atFault(target, 'uselessPeer', 'it does not show the headers that it claims to have')
    for (const { header, hash } of anchors) {
      yield { base, length: segmentLength, lastHash: hash }
      base = { number: header.number, hash }
    }
  }
  if (height > base.number) yield { base, length: Number(height - base.number), lastHash: undefined }
}
