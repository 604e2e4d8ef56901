import { BlockError, isPermanent } from '../execution/fault.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { createRecentMap } from '../primitives/recentMap.ts'
import type { Block } from '../types/block.ts'
import type { HashedBlock } from './view.ts'

/** A block that failed validation, and why. */
export interface BadBlock {
  readonly hash: Hash32
  readonly block: Block
  readonly reason: string
  /** Every block with this hash is invalid. */
  readonly condemned: boolean
}

/** The last blocks that failed validation: they are not run again, and an operator can look at them. */
export interface BadBlocks {
  add(bad: BadBlock): void
  find(hash: Hash32): BadBlock | undefined
  /** All of them, oldest first. */
  all(): readonly BadBlock[]
}

const remembered = 128

/** An empty list. */
export function createBadBlocks(): BadBlocks {
  const blocks = createRecentMap<string, BadBlock>(remembered)
  return {
    add: (bad) => blocks.set(keyOf(bad.hash), bad),
    find: (hash) => blocks.get(keyOf(hash)),
    all: () => [...blocks.values()],
  }
}

/** Adds the block to the bad ones, with the reason why it is invalid. */
export function recordBad(badBlocks: BadBlocks, { hash, block }: HashedBlock, error: BlockError): void {
  // A block that comes too early is not bad.
  if (error.at.code === 'PARENT_UNKNOWN') return
  badBlocks.add({ hash, block, reason: error.message, condemned: isPermanent(error.at) })
}

/** Adds the block to the bad ones if the action fails because the block is invalid. */
export function recordIfBad<T>(badBlocks: BadBlocks, hashed: HashedBlock, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof BlockError) recordBad(badBlocks, hashed, error)
    throw error
  }
}
