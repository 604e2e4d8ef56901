import { type Mcl, type Pointer, sizes } from './mcl.ts'

/**
 * Returns whether the product of the pairings of `count` pairs is one. `read` writes the i-th pair to the given addresses;
 * if it returns false, the result is undefined.
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
    // A pairing with infinity is one: the next pair overwrites it.
    if (!lib.mclBnG1_isZero(g1) && !lib.mclBnG2_isZero(g2)) used++
  }
  if (used === 0) return true
  lib.mclBn_millerLoopVec(product, g1s, g2s, used)
  lib.mclBn_finalExp(product, product)
  return lib.mclBnGT_isOne(product) === 1
}

/** Returns a boolean as a word of 1 or 0. */
export function booleanWord(value: boolean | undefined): Uint8Array | undefined {
  if (value === undefined) return undefined
  const out = new Uint8Array(32)
  out[31] = value ? 1 : 0
  return out
}
