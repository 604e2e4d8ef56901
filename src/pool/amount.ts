/** How many transactions there are, and how many bytes they take. */
export interface Amount {
  readonly count: number
  readonly bytes: number
}

/** Bytes from which on a transaction counts as several: each is hashed, encrypted and sent more than once. */
const bytesPerTx = 2048

/** The number of ordinary transactions that would be as much work. */
export function weightOf({ count, bytes }: Amount): number {
  return Math.max(count, Math.ceil(bytes / bytesPerTx))
}
