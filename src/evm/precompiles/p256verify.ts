import { emptyBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import type { Precompile } from '../precompile.ts'
import { createMcl, sizes } from './mcl.ts'
import { createPoints } from './points.ts'
import { lazy } from './wasm.ts'

const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const curve = lazy(() => {
  const mcl = createMcl('p256')
  // Generator and key are consecutive, as are their scalars, so that one call computes the sum of both multiples.
  const bases = mcl.alloc(2 * sizes.g1)
  mcl.lib.mclBnG1_getBasePoint(bases)
  return {
    mcl,
    points: createPoints(mcl, { elementBytes: 32, fieldBytes: 32, first: 'real' }),
    bases,
    key: bases + sizes.g1,
    scalars: mcl.alloc(2 * sizes.fr),
    s: mcl.alloc(sizes.fr),
    sum: mcl.alloc(sizes.g1),
  }
})

function isInRange(n: bigint): boolean {
  return n > 0n && n < groupOrder
}

/** Returns whether (r, s) is a signature of the digest by the key (x, y): the x of (digest·G + r·key)/s is r modulo the order. */
function isSignature(digest: Uint8Array, r: Uint8Array, s: Uint8Array, key: Uint8Array): boolean {
  if (!isInRange(bytesToBigInt(r)) || !isInRange(bytesToBigInt(s))) return false
  const { mcl, points, ...at } = curve()
  if (!points.readG1(at.key, key, 0) || mcl.lib.mclBnG1_isZero(at.key)) return false
  mcl.readScalar(at.s, s)
  mcl.readScalar(at.scalars, digest)
  mcl.readScalar(at.scalars + sizes.fr, r)
  mcl.lib.mclBnFr_div(at.scalars, at.scalars, at.s)
  mcl.lib.mclBnFr_div(at.scalars + sizes.fr, at.scalars + sizes.fr, at.s)
  mcl.lib.mclBnG1_mulVec(at.sum, at.bases, at.scalars, 2)
  if (mcl.lib.mclBnG1_isZero(at.sum)) return false
  return bytesToBigInt(points.writeG1(at.sum).subarray(0, 32)) % groupOrder === bytesToBigInt(r)
}

/** Verifies a signature on secp256r1 (EIP-7951): the output is 1 as a word, or empty. */
export const p256verify: Precompile = {
  name: 'P256VERIFY',
  gas: () => 6900n,
  run(input) {
    const word = (i: number) => input.subarray(32 * i, 32 * (i + 1))
    const valid = input.length === 160 && isSignature(word(0), word(1), word(2), input.subarray(96))
    return valid ? toWord(1n) : emptyBytes
  },
}
