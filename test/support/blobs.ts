import { readFileSync } from 'node:fs'
import { fromHex } from '../../src/primitives/hex.ts'
import { type BlobSidecar, blobSize } from '../../src/types/blobSidecar.ts'

interface Vector {
  readonly seed: number
  readonly commitment: string
  readonly proof: string
  readonly cellProofs: readonly string[]
}

const file = new URL('../fixtures/blobProofs.json', import.meta.url)

/** A blob of numbers that depend on `seed`. */
export function blobOf(seed: number): Uint8Array {
  const blob = new Uint8Array(blobSize)
  let state = seed
  for (let i = 0; i < blobSize; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    blob[i] = i % 32 === 0 ? (state >>> 16) & 0x3f : state >>> 16
  }
  return blob
}

/** A sidecar of the given version, with proofs of another implementation. */
export function sidecarOf(version: 0 | 1): BlobSidecar {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }
  return {
    version,
    blobs: vectors.map(({ seed }) => blobOf(seed)),
    commitments: vectors.map(({ commitment }) => fromHex(commitment)),
    proofs: vectors.flatMap(({ proof, cellProofs }) => (version === 0 ? [proof] : cellProofs)).map(fromHex),
  }
}
