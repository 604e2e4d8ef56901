import { entryDigest } from './entryDigest.ts'
import type { Log } from './log.ts'

export const bloomLength = 256

/** Sets the three bits that stand for `entry`. */
export function addToBloom(bloom: Uint8Array, entry: Uint8Array): void {
  const digest = entryDigest(entry)
  for (let i = 0; i < 6; i += 2) {
    const bit = ((digest[i]! << 8) | digest[i + 1]!) & 2047
    bloom[bloomLength - 1 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}

/** The filter of a transaction without logs, which most transfers are; it must not be changed. */
const emptyBloom = new Uint8Array(bloomLength)

/** Returns the bloom filter of the addresses and topics of the logs; it must not be changed. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return emptyBloom
  const bloom = new Uint8Array(bloomLength)
  for (const { address, topics } of logs) {
    addToBloom(bloom, address)
    for (const topic of topics) addToBloom(bloom, topic)
  }
  return bloom
}

/** Returns the union of the filters. */
export function mergeBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const merged = new Uint8Array(bloomLength)
  for (const bloom of blooms) if (bloom !== emptyBloom) for (let i = 0; i < bloomLength; i++) merged[i]! |= bloom[i]!
  return merged
}

/** Returns false if `entry` was certainly not added. */
export function bloomMayHold(bloom: Uint8Array, entry: Uint8Array): boolean {
  const digest = entryDigest(entry)
  for (let i = 0; i < 6; i += 2) {
    const bit = ((digest[i]! << 8) | digest[i + 1]!) & 2047
    if ((bloom[bloomLength - 1 - (bit >> 3)]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}
