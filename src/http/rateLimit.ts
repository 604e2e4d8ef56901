/** Limits how many calls each client makes in a second, by its address. */
export interface RateLimit {
  /** Whether the client has used up its calls. */
  isOver(address: string | undefined): boolean
  /** Counts calls; false if the client had used up its calls before. A batch may go beyond the limit, and is waited for after it. */
  spend(address: string | undefined, calls: number): boolean
}

interface Bucket {
  calls: number
  /** When `calls` was right, in milliseconds. */
  at: number
}

/** Addresses that are remembered; beyond it those that have not asked for a second are forgotten. */
const maxAddresses = 10_000

/** Each address has a bucket of `perSecond` calls that fills up again within a second. */
export function createRateLimit(perSecond: number, now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>()

  function bucketOf(address = ''): Bucket {
    const time = now()
    let bucket = buckets.get(address)
    if (!bucket) {
      if (buckets.size >= maxAddresses) forgetFull(time)
      buckets.set(address, (bucket = { calls: perSecond, at: time }))
      return bucket
    }
    bucket.calls = filled(bucket, time)
    bucket.at = time
    return bucket
  }

  const filled = ({ calls, at }: Bucket, time: number) => Math.min(perSecond, calls + ((time - at) / 1000) * perSecond)

  function forgetFull(time: number): void {
    for (const [address, bucket] of buckets) if (filled(bucket, time) >= perSecond) buckets.delete(address)
  }

  return {
    isOver: (address) => bucketOf(address).calls < 1,
    spend(address, calls) {
      const bucket = bucketOf(address)
      if (bucket.calls < 1) return false
      bucket.calls -= calls
      return true
    },
  }
}
