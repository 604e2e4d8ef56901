import { bigIntToFixed } from '../../primitives/u256.ts'
import { type Mcl, type Pointer, sizes } from './mcl.ts'

/** The number u from which all of the curve's parameters derive. */
const parameter = 4965661367192848881n

// ξ^((p−1)/3) and ξ^((p−1)/2) with ξ = 9 + i: the factors of the Frobenius endomorphism on the twist.
const twistX = [
  0x2fb347984f7911f74c0bec3cf559b143b78cc310c2c3330c99e39557176f553dn,
  0x16c9e55061ebae204ba4cc8bd75a079432ae2a1d0b7c9dce1665d51c640fcba2n,
] as const
const twistY = [
  0x063cf305489af5dcdc5ec698b6e2f9b9dbaae0eda9c95998dc54014671a0135an,
  0x07c03cbcac41049a0704b5a7ec796f2b21807dc98fa25bd282d37f632623b0e3n,
] as const

/**
 * Creates a test whether a point of the twist is in the subgroup of the curve's order. Multiplying by that order, as the
 * library does, takes 254 doublings; with the endomorphism ψ it takes 63: P is in the group exactly when
 * [u+1]P + ψ([u]P) + ψ²([u]P) = ψ³([2u]P), u being the parameter.
 */
export function createSubgroupTest(mcl: Mcl): (point: Pointer) => boolean {
  const { lib, alloc, copy, readField } = mcl
  const bits = parameter.toString(2)
  const multiple = alloc(sizes.g2)
  const sum = alloc(sizes.g2)

  function constant([real, imaginary]: readonly [bigint, bigint]): Pointer {
    const at = alloc(sizes.fp2)
    readField(at, bigIntToFixed(real, 32))
    readField(at + sizes.fp, bigIntToFixed(imaginary, 32))
    return at
  }
  const x = constant(twistX)
  const y = constant(twistY)

  function frobenius(point: Pointer): void {
    for (let i = 0; i < 3; i++) {
      const imaginary = point + i * sizes.fp2 + sizes.fp
      lib.mclBnFp_neg(imaginary, imaginary)
    }
    lib.mclBnFp2_mul(point, point, x)
    lib.mclBnFp2_mul(point + sizes.fp2, point + sizes.fp2, y)
  }

  return (point) => {
    copy(multiple, point, sizes.g2)
    for (let i = 1; i < bits.length; i++) {
      lib.mclBnG2_dbl(multiple, multiple)
      if (bits[i] === '1') lib.mclBnG2_add(multiple, multiple, point)
    }
    lib.mclBnG2_add(sum, multiple, point)
    frobenius(multiple)
    lib.mclBnG2_add(sum, sum, multiple)
    frobenius(multiple)
    lib.mclBnG2_add(sum, sum, multiple)
    frobenius(multiple)
    lib.mclBnG2_dbl(multiple, multiple)
    return lib.mclBnG2_isEqual(sum, multiple) === 1
  }
}
