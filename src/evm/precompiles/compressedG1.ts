import { type Mcl, type Pointer, sizes } from './mcl.ts'

const compressed = 0x80
const infinity = 0x40
const upperHalf = 0x20

/**
 * Creates a reader of compressed points of BLS12-381's first group: 48 bytes of x, whose three spare bits mark compression,
 * infinity and the larger y. It returns false for anything but the canonical encoding of a point of the subgroup.
 */
export function createCompressedReader(mcl: Mcl): (out: Pointer, bytes: Uint8Array) => boolean {
  const { lib, alloc } = mcl
  const four = alloc(sizes.fp)
  lib.mclBnFp_setInt32(four, 4)

  return (out, bytes) => {
    const flags = bytes[0]! & 0xe0
    const x = bytes.slice()
    x[0]! &= 0x1f
    if (flags === (compressed | infinity)) {
      mcl.clear(out, sizes.g1)
      return x.every((byte) => byte === 0)
    }
    if ((flags & ~upperHalf) !== compressed || !mcl.readField(out, x)) return false
    const y = out + sizes.fp
    lib.mclBnFp_sqr(y, out)
    lib.mclBnFp_mul(y, y, out)
    lib.mclBnFp_add(y, y, four)
    if (lib.mclBnFp_squareRoot(y, y) !== 0) return false
    if ((lib.mclBnFp_isNegative(y) === 1) !== (flags === (compressed | upperHalf))) lib.mclBnFp_neg(y, y)
    lib.mclBnFp_setInt32(out + 2 * sizes.fp, 1)
    return lib.mclBnG1_isValidOrder(out) === 1
  }
}
