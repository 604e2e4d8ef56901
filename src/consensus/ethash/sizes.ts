/** Blocks that share one cache and one dataset. */
const epochLength = 30_000n

const cacheStart = 2 ** 24
const cacheGrowth = 2 ** 17
const datasetStart = 2 ** 30
const datasetGrowth = 2 ** 23

/** Bytes of an item of the cache and of the dataset. */
const itemBytes = 64
/** The same in 32-bit words, which all mixing works on. */
export const itemWords = itemBytes / 4
/** Bytes that a hash mixes in one step: two items. */
export const mixBytes = 128

export function epochOf(blockNumber: bigint): number {
  return Number(blockNumber / epochLength)
}

function isPrime(n: number): boolean {
  if (n % 2 === 0) return n === 2
  for (let i = 3; i * i <= n; i += 2) if (n % i === 0) return false
  return n > 1
}

/** The largest size up to `limit` that holds a prime number of units, counting down by whole pairs of units. */
function primeUnits(limit: number, unit: number): number {
  let bytes = limit - unit
  while (!isPrime(bytes / unit)) bytes -= 2 * unit
  return bytes
}

export function cacheBytesOf(epoch: number): number {
  return primeUnits(cacheStart + cacheGrowth * epoch, itemBytes)
}

export function datasetBytesOf(epoch: number): number {
  return primeUnits(datasetStart + datasetGrowth * epoch, mixBytes)
}
