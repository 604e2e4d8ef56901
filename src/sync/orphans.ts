import { equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Candidate } from './candidate.ts'

const maxOrphans = 32
const maxBytes = 16 << 20

/** Blocks that wait for their parents; when there are too many the oldest are forgotten. */
export function createOrphans() {
  const blocks = new Map<string, Candidate>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= blocks.get(key)?.size ?? 0
    blocks.delete(key)
  }

  return {
    has: (hash: Hash32): boolean => blocks.has(keyOf(hash)),
    size: (): number => blocks.size,
    add(block: Candidate): void {
      blocks.set(keyOf(block.hash), block)
      bytes += block.size
      while (blocks.size > maxOrphans || bytes > maxBytes) remove(blocks.keys().next().value!)
    },
    /** Takes out the children of a block. */
    childrenOf(hash: Hash32): Candidate[] {
      const children = [...blocks.values()].filter(({ header }) => equalBytes(header.parentHash, hash))
      for (const child of children) remove(keyOf(child.hash))
      return children
    },
    /** Takes out those below a height. */
    dropBelow(number: bigint): void {
      for (const [key, { header }] of blocks) if (header.number < number) remove(key)
    },
  }
}
