import { loadKZG } from 'kzg-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { type BlobSidecar, blobSize, cellsPerBlob } from '../../types/blobSidecar.ts'
import { groupOrder } from './scalarField.ts'
import { verifySidecar } from './verifySidecar.ts'

let kzg: Awaited<ReturnType<typeof loadKZG>>
beforeAll(async () => {
  kzg = await loadKZG()
})

/** A blob of numbers that depend on `seed`. */
function blobOf(seed: number): Uint8Array {
  const blob = new Uint8Array(blobSize)
  let state = seed
  for (let i = 0; i < blobSize; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    blob[i] = i % 32 === 0 ? (state >>> 16) & 0x3f : state >>> 16
  }
  return blob
}

/** All numbers of the blob are the same. */
function constantBlob(value: bigint): Uint8Array {
  return fromHex(
    value
      .toString(16)
      .padStart(64, '0')
      .repeat(blobSize / 32),
  )
}

/** The sidecar of some blobs as the reference implementation makes it. */
function sidecarOf(version: number, ...blobs: Uint8Array[]): BlobSidecar {
  const commitments = blobs.map((blob) => kzg.blobToKZGCommitment(toHex(blob)))
  const proofs =
    version === 0
      ? blobs.map((blob, i) => [kzg.computeBlobKZGProof(toHex(blob), commitments[i]!)])
      : blobs.map((blob) => kzg.computeCellsAndKZGProofs(toHex(blob)).proofs)
  return { version, blobs, commitments: commitments.map(fromHex), proofs: proofs.flat().map(fromHex) }
}

const replaced = <T>(list: readonly T[], at: number, value: T): T[] => list.map((old, i) => (i === at ? value : old))

function flipped(bytes: Uint8Array, at: number, bits = 1): Uint8Array {
  const out = bytes.slice()
  out[at]! ^= bits
  return out
}

describe.each([0, 1])('version %i', (version) => {
  let good: BlobSidecar
  beforeAll(() => {
    good = sidecarOf(version, blobOf(1), blobOf(2))
  })

  test('accepts what the reference implementation made', () => {
    expect(verifySidecar(good)).toBe(true)
    for (const value of [0n, 1n, groupOrder - 1n])
      expect(verifySidecar(sidecarOf(version, constantBlob(value))), String(value)).toBe(true)
  })

  test('refuses a blob with one bit changed, wherever it is', () => {
    for (const at of [31, 32 * 2048 + 31, blobSize - 1]) {
      expect(verifySidecar({ ...good, blobs: replaced(good.blobs, 0, flipped(good.blobs[0]!, at)) })).toBe(false)
      expect(verifySidecar({ ...good, blobs: replaced(good.blobs, 1, flipped(good.blobs[1]!, at)) })).toBe(false)
    }
  })

  test('refuses a number that is not below the order', () => {
    const sidecar = sidecarOf(version, constantBlob(1n))
    const blob = constantBlob(1n)
    blob.set(fromHex((groupOrder + 1n).toString(16)), 32 * 7)
    expect(verifySidecar({ ...sidecar, blobs: [blob] })).toBe(false)
  })

  test('refuses commitments in the wrong order', () => {
    expect(verifySidecar({ ...good, commitments: good.commitments.toReversed() })).toBe(false)
  })

  test('refuses a proof of another blob, of the other sign, and what is no point', () => {
    const per = version === 0 ? 1 : cellsPerBlob
    for (const at of [0, per - 1, per, 2 * per - 1]) {
      const proof = good.proofs[at]!
      const other = good.proofs[(at + per) % (2 * per)]!
      const infinity = flipped(new Uint8Array(48), 0, 0xc0)
      for (const wrong of [other, flipped(proof, 0, 0x20), flipped(proof, 0, 0x80), infinity, new Uint8Array(48)])
        expect(verifySidecar({ ...good, proofs: replaced(good.proofs, at, wrong) }), toHex(wrong)).toBe(false)
    }
  })
})

test('cells in the wrong order are refused', () => {
  const { proofs, ...rest } = sidecarOf(1, blobOf(3))
  expect(verifySidecar({ ...rest, proofs })).toBe(true)
  expect(verifySidecar({ ...rest, proofs: [proofs[1]!, proofs[0]!, ...proofs.slice(2)] })).toBe(false)
})
