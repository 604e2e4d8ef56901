import { recordBad } from '../../chain/badBlocks.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HeadEvent } from '../../chain/events.ts'
import { ChainError } from '../../chain/fault.ts'
import type { HashedBlock } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { StoreError } from '../../store/fault.ts'
import type { Block } from '../../types/block.ts'
import type { CatchUpFailure, HeadChange } from './messages.ts'

/** Blocks that another thread imports and this one has not announced: what the thread says of them, with the objects that are here. */
export interface Unannounced {
  keep(blocks: readonly Block[]): void
  /** The event to announce; its blocks are not kept any longer. */
  eventOf(change: HeadChange): HeadEvent
  /** Why the thread has failed; an invalid block is among the bad blocks afterwards. */
  errorOf(reason: CatchUpFailure): Error
}

/** Blocks whose objects are kept until they are announced; others are read again. */
const maxKept = 512

export function createUnannounced(
  chain: Pick<Chain, 'read' | 'badBlocks'>,
  consensus: Pick<ConsensusEngine, 'hash'>,
): Unannounced {
  const kept = createRecentMap<string, HashedBlock>(maxKept)

  function blockOf(hash: Hash32): HashedBlock {
    const key = keyOf(hash)
    const block = kept.get(key) ?? chain.read((view) => view.blockBy(hash))!
    kept.delete(key)
    return block
  }

  return {
    keep(blocks) {
      for (const block of blocks) {
        const hash = consensus.hash(block.header)
        kept.set(keyOf(hash), { header: block.header, hash, block })
      }
    },
    eventOf({ head, added, removed }) {
      const blocks = added.map(blockOf)
      return {
        head: blocks.at(-1) ?? chain.read((view) => view.headerBy(head))!,
        added: blocks,
        removed: removed.map(blockOf),
      }
    },
    errorOf(reason) {
      if (reason.kind === 'store') return new StoreError(reason.fault)
      if (reason.kind === 'chain') return new ChainError(reason.fault)
      if (reason.kind === 'bug') return new Error(`blocks could not be imported: ${reason.message}`)
      const error = new BlockError(reason.fault)
      const bad = reason.hash && kept.get(keyOf(reason.hash))
      if (bad) recordBad(chain.badBlocks, bad, error)
      return error
    },
  }
}
