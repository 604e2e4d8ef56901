import { concatBytes, equalBytes } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import type { BftWord } from './claim.ts'
import type { CliqueSigned, KeyRecord } from './decide.ts'

const sumLength = 8
const format = 1

interface StoredRecord {
  readonly format: number
  readonly closed: string
  readonly bft?: {
    readonly height: string
    readonly round: number
    readonly said: Partial<Record<BftWord, string>>
    readonly committed?: number
  }
  readonly clique: readonly (Omit<CliqueSigned, 'number'> & { readonly number: string })[]
}

const sumOf = (text: Uint8Array) => keccak256(text).subarray(0, sumLength)

/** JSON, so that whoever has lost a key server can read what it knew, after a checksum. */
export function encodeKeyRecord({ closed, bft, clique }: KeyRecord): Uint8Array {
  const stored: StoredRecord = {
    format,
    closed: String(closed),
    ...(bft && {
      bft: {
        height: String(bft.height),
        round: bft.round,
        said: bft.said,
        ...(bft.committed !== undefined && { committed: bft.committed }),
      },
    }),
    clique: clique.map(({ number, ...rest }) => ({ number: String(number), ...rest })),
  }
  const text = new TextEncoder().encode(JSON.stringify(stored))
  return concatBytes(sumOf(text), text)
}

/** Undefined if the bytes are not what was written. */
export function decodeKeyRecord(bytes: Uint8Array): KeyRecord | undefined {
  const text = bytes.subarray(sumLength)
  if (bytes.length <= sumLength || !equalBytes(sumOf(text), bytes.subarray(0, sumLength))) return undefined
  const stored = JSON.parse(new TextDecoder().decode(text)) as StoredRecord
  if (stored.format !== format) return undefined
  const { bft } = stored
  return {
    closed: BigInt(stored.closed),
    bft: bft && { height: BigInt(bft.height), round: bft.round, said: bft.said, committed: bft.committed },
    clique: stored.clique.map(({ number, ...rest }) => ({ number: BigInt(number), ...rest })),
  }
}
