const wordLength = 32

/** A word as a length; infinite if it is longer than any array. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const word = bytes.subarray(at, at + wordLength)
  if (word.length < wordLength || word.subarray(0, 28).some((byte) => byte !== 0)) return Number.POSITIVE_INFINITY
  return new DataView(word.buffer, word.byteOffset).getUint32(28)
}

/**
 * The keys in an ABI-encoded `bytes[]`, which is the only value. As in Besu they have to be of one length and stand in
 * their order; anything else counts as empty.
 */
function decodeKeys(bytes: Uint8Array): readonly Uint8Array[] {
  const count = lengthAt(bytes, wordLength)
  if (count === 0 || count * wordLength > bytes.length) return []
  const tail = bytes.subarray((2 + count) * wordLength)
  const length = lengthAt(tail, 0)
  const step = Math.floor(tail.length / count)
  if (step !== wordLength + Math.ceil(length / wordLength) * wordLength) return []
  return Array.from({ length: count }, (_, i) => tail.slice(i * step + wordLength, i * step + wordLength + length))
}

/** The members that `getParticipants` returned. */
export function decodeParticipants(output: Uint8Array): readonly Uint8Array[] {
  return decodeKeys(output)
}

/** The members that a call of `addParticipants` adds. */
export function addedParticipants(data: Uint8Array): readonly Uint8Array[] {
  return decodeKeys(data.subarray(4))
}
