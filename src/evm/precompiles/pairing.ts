import { type Mcl, type Pointer, sizes } from './mcl.ts'

/**
 * Whether the product of the pairings of `count` pairs is one. `read` lays the i-th pair at the addresses given; its false
 * makes the whole answer undefined.
 */
export function isPairingOne(
  { lib, scratch }: Mcl,
  count: number,
  read: (i: number, g1: Pointer, g2: Pointer) => boolean,
): boolean | undefined {
  const product = scratch(sizes.gt + count * (sizes.g1 + sizes.g2))
  const g1s = product + sizes.gt
  const g2s = g1s + count * sizes.g1
  let used = 0
  for (let i = 0; i < count; i++) {
    const g1 = g1s + used * sizes.g1
    const g2 = g2s + used * sizes.g2
    if (!read(i, g1, g2)) return undefined
    // A pairing with infinity is one: the next pair takes its place.
    if (!lib.mclBnG1_isZero(g1) && !lib.mclBnG2_isZero(g2)) used++
  }
  if (used === 0) return true
  lib.mclBn_millerLoopVec(product, g1s, g2s, used)
  lib.mclBn_finalExp(product, product)
  return lib.mclBnGT_isOne(product) === 1
}

/** A truth as contracts see it: a word of one or zero. */
export function truthWord(value: boolean | undefined): Uint8Array | undefined {
  if (value === undefined) return undefined
  const out = new Uint8Array(32)
  out[31] = value ? 1 : 0
  return out
}
