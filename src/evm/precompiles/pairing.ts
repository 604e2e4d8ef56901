import { type Mcl, type Pointer, sizes } from './mcl.ts'

/**
 * Whether the product of the pairings of `count` pairs is one, as a word. `read` lays the i-th pair at the addresses
 * given; its false makes the whole call fail.
 */
export function pairingCheck(
  { lib, scratch }: Mcl,
  count: number,
  read: (i: number, g1: Pointer, g2: Pointer) => boolean,
): Uint8Array | undefined {
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
  const out = new Uint8Array(32)
  out[31] = used === 0 || isOne() ? 1 : 0
  return out

  function isOne(): boolean {
    lib.mclBn_millerLoopVec(product, g1s, g2s, used)
    lib.mclBn_finalExp(product, product)
    return lib.mclBnGT_isOne(product) === 1
  }
}
