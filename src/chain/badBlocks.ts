import { type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Block } from '../types/block.ts'

/** A block that was refused, and why. */
export interface BadBlock {
  readonly hash: Hash32
  readonly block: Block
  readonly reason: string
  /** No block with this hash can be valid. */
  readonly condemned: boolean
}

const remembered = 128

/** The blocks that were refused last, so that they are not run again and can be looked at. */
export function createBadBlocks() {
  const blocks = new Map<string, BadBlock>()
  return {
    add(bad: BadBlock): void {
      blocks.set(keyOf(bad.hash), bad)
      if (blocks.size > remembered) blocks.delete(blocks.keys().next().value!)
    },
    find: (hash: Hash32): BadBlock | undefined => blocks.get(keyOf(hash)),
    all: (): readonly BadBlock[] => [...blocks.values()],
  }
}
