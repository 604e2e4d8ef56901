import { keccak256Into } from '../primitives/keccak.ts'

/** Maximum length of an address or topic. */
const maxLength = 32
const buckets = 4096

const entries = new Uint8Array(buckets * maxLength)
const lengths = new Uint8Array(buckets)
const digests = new Uint8Array(buckets * maxLength)
const views = Array.from({ length: buckets }, (_, i) => digests.subarray(i * maxLength, (i + 1) * maxLength))

/**
 * Returns the digest of the address or of a topic of a log; valid until the next call. The same entries come again and
 * again, in blooms and in the log index, so the last digest is kept per bucket, chosen by the end of the entry.
 */
export function entryDigest(entry: Uint8Array): Uint8Array {
  const { length } = entry
  if (length > maxLength) throw new RangeError(`no address or topic has ${length} bytes`)
  const bucket = ((entry[length - 2]! << 8) | entry[length - 1]!) & (buckets - 1)
  const digest = views[bucket]!
  if (isKept(entry, bucket)) return digest
  keccak256Into(entry, digests, bucket * maxLength)
  entries.set(entry, bucket * maxLength)
  lengths[bucket] = length
  return digest
}

function isKept(entry: Uint8Array, bucket: number): boolean {
  if (lengths[bucket] !== entry.length) return false
  const start = bucket * maxLength
  for (let i = 0; i < entry.length; i++) if (entries[start + i] !== entry[i]) return false
  return true
}
