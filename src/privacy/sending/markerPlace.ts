import { concatBytes, type Hash32 } from '../../primitives/bytes.ts'
import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../../store/codec.ts'

/** Where the marker of a private transaction is. */
export interface MarkerPlace {
  readonly number: number
  readonly hash: Hash32
  readonly index: number
}

const numberAt = 32
const hashAt = numberAt + blockNumberLength
const indexAt = hashAt + 32

/** The key of a row that belongs to a place: 32 bytes (a group, or the key of a payload), then the place in order. */
export function placeKey(first: Uint8Array, { number, hash, index }: MarkerPlace): Uint8Array {
  const out = new Uint8Array(indexAt + 3)
  out.set(first)
  writeBlockNumber(out, numberAt, number)
  out.set(hash, hashAt)
  out[indexAt] = index >>> 16
  out[indexAt + 1] = index >>> 8
  out[indexAt + 2] = index
  return out
}

/** Undoes `placeKey`. */
export function placeIn(key: Uint8Array): MarkerPlace {
  return {
    number: readBlockNumber(key, numberAt),
    hash: key.slice(hashAt, indexAt) as Uint8Array as Hash32,
    index: (key[indexAt]! << 16) | (key[indexAt + 1]! << 8) | key[indexAt + 2]!,
  }
}

/** The range of the rows in blocks from `from` to `to`; without `to`, to the last one. */
export function placeRange(first: Uint8Array, from: number, to = 2 ** 48 - 2): { from: Uint8Array; to: Uint8Array } {
  return { from: bound(first, from), to: bound(first, to + 1) }
}

function bound(first: Uint8Array, number: number): Uint8Array {
  const out = new Uint8Array(blockNumberLength)
  writeBlockNumber(out, 0, number)
  return concatBytes(first, out)
}
