import { equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Candidate } from './candidate.ts'

const maxOrphans = 32
const maxBytes = 16 << 20

/** Blocks whose parents are unknown; when there are too many the oldest are forgotten. */
export interface Orphans {
  has(hash: Hash32): boolean
  size(): number
  add(block: Candidate): void
  /** Removes the children of a block and returns them. */
  childrenOf(hash: Hash32): Candidate[]
  /** Removes the blocks below a height. */
  dropBelow(number: bigint): void
}

/** No orphans yet. */
export function createOrphans(): Orphans {
  const blocks = new Map<string, Candidate>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= blocks.get(key)?.size ?? 0
    blocks.delete(key)
  }

  return {
    has: (hash) => blocks.has(keyOf(hash)),
    size: () => blocks.size,
    add(block) {
      blocks.set(keyOf(block.hash), block)
      bytes += block.size
      while (blocks.size > maxOrphans || bytes > maxBytes) remove(blocks.keys().next().value!)
    },
    childrenOf(hash) {
      const children = [...blocks.values()].filter(({ header }) => equalBytes(header.parentHash, hash))
      for (const child of children) remove(keyOf(child.hash))
      return children
    },
    dropBelow(number) {
      for (const [key, { header }] of blocks) if (header.number < number) remove(key)
    },
  }
}
