import type { Chain } from '../../chain/chain.ts'
import type { HashedBlock } from '../../chain/view.ts'
import { type Address, emptyBytes, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { type Header, headerHash } from '../../types/header.ts'
import type { BlockBuilder } from './blockBuilder.ts'

export interface WatchKeyParts {
  readonly chain: Pick<Chain, 'onHead'>
  readonly builder: BlockBuilder
  readonly address: Address
  readonly signerOf: (header: Header) => Address
  readonly clock: Clock
  readonly log: Logger
}

/** Seconds after the start in which blocks may come that this validator made before it. */
const settling = 60
/** Seconds after which a block is no news: it may come again after the head was set back. */
const newsTime = 300
const remembered = 1024
const warnEvery = 60_000

/** Votes, rounds and seals come after a block is built, all in the extra data. */
const contentOf = (header: Header) => keyOf(headerHash({ ...header, extraData: emptyBytes }))

/** The builder to use, and what it has built. */
export interface KeyWatch {
  readonly builder: BlockBuilder
  /** Whether this process has built a block. */
  readonly hasBuilt: (header: Header) => boolean
}

/** Warns when the chain gets a block that was made with this validator's key and not by this process. */
export function watchKey({ chain, builder, address, signerOf, clock, log }: WatchKeyParts): KeyWatch {
  const built = createRecentSet<string>(remembered)
  const startedAt = clock.now() / 1000
  let warnedAt = Number.NEGATIVE_INFINITY

  function note(made: HashedBlock | undefined): HashedBlock | undefined {
    if (made) built.add(contentOf(made.header))
    return made
  }

  const hasBuilt = (header: Header) => built.has(contentOf(header))

  function isForeign(header: Header): boolean {
    const time = Number(header.timestamp)
    if (time < startedAt + settling || time < clock.now() / 1000 - newsTime) return false
    return equalBytes(signerOf(header), address) && !hasBuilt(header)
  }

  chain.onHead(({ added }) => {
    const foreign = added.find(({ block }) => isForeign(block.header))
    if (!foreign || Math.abs(clock.now() - warnedAt) < warnEvery) return
    warnedAt = clock.now()
    log.warn(
      { number: Number(foreign.block.header.number), hash: foreign.hash },
      'another process has made a block with the key of this validator: stop one of the two, or the key may sign contradictions',
    )
  })

  return {
    hasBuilt,
    builder: {
      ...builder,
      *propose(plan) {
        return note(yield* builder.propose(plan))
      },
    },
  }
}
