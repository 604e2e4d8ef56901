/** Order of BLS12-381's groups: the field elements of a blob are below it. */
export const groupOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Its powers are all field elements but 0. */
const primitiveRoot = 7n

/** Returns `base` to the power of `exponent`. */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % groupOrder
    square = (square * square) % groupOrder
  }
  return result
}

export function invert(n: bigint): bigint {
  return power(n, groupOrder - 2n)
}

/** Returns a primitive root of unity of order `count`, a power of two. */
export function rootOfUnity(count: number): bigint {
  return power(primitiveRoot, (groupOrder - 1n) / BigInt(count))
}

/** Returns the `count` roots of unity in bit-reversed order, as blobs have them. */
export function reversedRoots(count: number): readonly bigint[] {
  const root = rootOfUnity(count)
  let roots = [1n]
  // Each step appends the odd exponents to the even ones.
  for (let size = 1, step = count / 2; size < count; size *= 2, step /= 2) {
    const factor = power(root, BigInt(step))
    roots = roots.concat(roots.map((value) => (value * factor) % groupOrder))
  }
  return roots
}
