import type { Block } from '../types/block.ts'

/** Imports the blocks that a node has missed. */
export interface BlockImporter {
  /** Resolves when the blocks are imported, and the next may be given before; a BlockError says why one is invalid: those before it are on disk. */
  importBlocks(blocks: readonly Block[]): Promise<void>
  /** Resolves when all of them are on disk and announced. */
  end(): Promise<void>
}
