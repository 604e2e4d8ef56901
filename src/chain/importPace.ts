/** Bounds of a pace. */
export interface ImportPaceOptions {
  /** Blocks of the first transaction. */
  readonly firstBlocks: number
  readonly maxBlocks: number
  /** Milliseconds that a transaction may take. */
  readonly maxTime: number
}

/** How many blocks to import in one transaction: twice as many after a quick transaction, half as many after a slow one. */
export interface ImportPace {
  blocks(): number
  /** Runs one transaction and adapts the pace to the time that it took. */
  measure(commit: () => void): void
}

/** The pace of one import. */
export function createImportPace({ firstBlocks, maxBlocks, maxTime }: ImportPaceOptions): ImportPace {
  let blocks = firstBlocks
  return {
    blocks: () => blocks,
    measure(commit) {
      const started = performance.now()
      commit()
      const isSlow = performance.now() - started > maxTime
      blocks = isSlow ? Math.max(1, blocks >> 1) : Math.min(maxBlocks, blocks << 1)
    },
  }
}
