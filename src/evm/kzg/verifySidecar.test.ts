import { describe, expect, test } from 'vitest'
import { blobOf, sidecarOf } from '../../../test/support/blobs.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { type BlobSidecar, blobSize, cellsPerBlob } from '../../types/blobSidecar.ts'
import { groupOrder } from './scalarField.ts'
import { verifySidecar } from './verifySidecar.ts'

const replaced = <T>(list: readonly T[], at: number, value: T): T[] => list.map((old, i) => (i === at ? value : old))

function flipped(bytes: Uint8Array, at: number, bits = 1): Uint8Array {
  const out = bytes.slice()
  out[at]! ^= bits
  return out
}

const infinity = flipped(new Uint8Array(48), 0, 0xc0)
const generator = fromHex(
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
)

describe.each([0, 1] as const)('version %i', (version) => {
  const good = sidecarOf(version)
  const proofsPerBlob = version === 0 ? 1 : cellsPerBlob

  /** A blob whose field elements are all the same: its polynomial is constant, and all its proofs are infinity. */
  function constant(value: bigint, commitment: Uint8Array): BlobSidecar {
    const blob = fromHex(
      value
        .toString(16)
        .padStart(64, '0')
        .repeat(blobSize / 32),
    )
    return { version, blobs: [blob], commitments: [commitment], proofs: Array(proofsPerBlob).fill(infinity) }
  }

  test('accepts what another implementation made', () => expect(verifySidecar(good)).toBe(true))

  test('accepts constants', () => {
    expect(verifySidecar(constant(0n, infinity))).toBe(true)
    expect(verifySidecar(constant(1n, generator))).toBe(true)
    expect(verifySidecar(constant(groupOrder - 1n, flipped(generator, 0, 0x20)))).toBe(true)
    expect(verifySidecar(constant(2n, generator))).toBe(false)
  })

  test.each([31, blobSize / 2 + 31, blobSize - 1])('refuses a blob with a bit of byte %i changed', (at) => {
    for (const i of [0, 1])
      expect(verifySidecar({ ...good, blobs: replaced(good.blobs, i, flipped(good.blobs[i]!, at)) })).toBe(false)
  })

  test('refuses a number that is not below the order, though it is the same by it', () => {
    const { blobs, ...rest } = constant(1n, generator)
    const blob = blobs[0]!.slice()
    blob.set(fromHex((groupOrder + 1n).toString(16)), 32 * 7)
    expect(verifySidecar({ ...rest, blobs: [blob] })).toBe(false)
  })

  test('refuses blobs, commitments or proofs in another order', () => {
    expect(verifySidecar({ ...good, blobs: [blobOf(2), blobOf(1)] })).toBe(false)
    expect(verifySidecar({ ...good, commitments: good.commitments.toReversed() })).toBe(false)
    expect(verifySidecar({ ...good, proofs: [good.proofs[1]!, good.proofs[0]!, ...good.proofs.slice(2)] })).toBe(false)
  })

  test.each([0, proofsPerBlob - 1, 2 * proofsPerBlob - 1])('refuses any other proof at %i', (at) => {
    const proof = good.proofs[at]!
    const foreign = good.proofs[(at + proofsPerBlob) % (2 * proofsPerBlob)]!
    const wrongs = [foreign, flipped(proof, 0, 0x20), flipped(proof, 0, 0x80), flipped(proof, 47), infinity]
    for (const wrong of wrongs)
      expect(verifySidecar({ ...good, proofs: replaced(good.proofs, at, wrong) }), toHex(wrong)).toBe(false)
  })
})
