import { keccak256Into } from '../primitives/keccak.ts'

/** Addresses and topics have up to 32 bytes. */
const longest = 32
const places = 4096

const entries = new Uint8Array(places * longest)
const lengths = new Uint8Array(places)
const digests = new Uint8Array(places * longest)
const views = Array.from({ length: places }, (_, i) => digests.subarray(i * longest, (i + 1) * longest))

/**
 * Digest of the address or of a topic of a log: valid until the next call. The same few come again and again, in blooms
 * and in the index, so that the last one for each place, which the entry's own end tells, is kept.
 */
export function entryDigest(entry: Uint8Array): Uint8Array {
  const { length } = entry
  if (length > longest) throw new RangeError(`no address or topic has ${length} bytes`)
  const place = ((entry[length - 2]! << 8) | entry[length - 1]!) & (places - 1)
  const digest = views[place]!
  if (isKept(entry, place)) return digest
  keccak256Into(entry, digests, place * longest)
  entries.set(entry, place * longest)
  lengths[place] = length
  return digest
}

function isKept(entry: Uint8Array, place: number): boolean {
  if (lengths[place] !== entry.length) return false
  const start = place * longest
  for (let i = 0; i < entry.length; i++) if (entries[start + i] !== entry[i]) return false
  return true
}
