/** What importing a chain took. */
export interface ImportResult {
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds?: number
  readonly peakBytes?: number
  /** Hash of the last block, in hex. */
  readonly head: string
}

/** A chain on disk. */
export interface ChainFiles {
  readonly genesis: string
  readonly blocks: string
  readonly gas: number
  readonly transactions: number
  readonly head: string
}
