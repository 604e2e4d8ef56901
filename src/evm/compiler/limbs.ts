import { type Emitter, keep, wasm } from './emitter.ts'

/** 64 bits of a word: known, or in a local. */
export type Limb = bigint | number
/** A word: four limbs, the lowest first. */
export type Limbs = readonly [Limb, Limb, Limb, Limb]

const max = (1n << 64n) - 1n

/** Limbs of a known word. */
export function limbsOf(word: bigint): Limbs {
  return [word & max, (word >> 64n) & max, (word >> 128n) & max, (word >> 192n) & max]
}

/** The word, if all its limbs are known. */
export function knownWord([l0, l1, l2, l3]: Limbs): bigint | undefined {
  if (typeof l0 === 'number' || typeof l1 === 'number' || typeof l2 === 'number' || typeof l3 === 'number')
    return undefined
  return l0 | (l1 << 64n) | (l2 << 128n) | (l3 << 192n)
}

/** Arithmetic on words: writes instructions, or computes at once what is known. */
export interface WordMath {
  push(limb: Limb): void
  add(a: Limbs, b: Limbs): Limbs
  subtract(a: Limbs, b: Limbs): Limbs
  less(a: Limbs, b: Limbs): Limbs
  signedLess(a: Limbs, b: Limbs): Limbs
  equal(a: Limbs, b: Limbs): Limbs
  isZero(a: Limbs): Limbs
  and(a: Limbs, b: Limbs): Limbs
  or(a: Limbs, b: Limbs): Limbs
  xor(a: Limbs, b: Limbs): Limbs
  not(a: Limbs): Limbs
  shiftLeft(a: Limbs, bits: number): Limbs
  shiftRight(a: Limbs, bits: number): Limbs
  /** 0 only if the word is. */
  anyBit(a: Limbs): Limb
  /** 0 only if the word is below 2^64. */
  anyUpperBit(a: Limbs): Limb
}

/** Creates the arithmetic that writes to an emitter. */
export function createWordMath(emitter: Emitter): WordMath {
  const { emit, get, constI64 } = emitter

  function push(limb: Limb): void {
    if (typeof limb === 'bigint') constI64(limb)
    else get(limb)
  }

  function apply(instruction: readonly number[], a: Limb, b: Limb): Limb {
    push(a)
    push(b)
    emit(instruction)
    return keep(emitter)
  }

  function compare(instruction: readonly number[], a: Limb, b: Limb): Limb {
    push(a)
    push(b)
    emit(instruction, wasm.i64ExtendI32U)
    return keep(emitter)
  }

  function addLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return (a + b) & max
    return a === 0n ? b : b === 0n ? a : apply(wasm.i64Add, a, b)
  }

  function subtractLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return (a - b) & max
    return b === 0n ? a : apply(wasm.i64Sub, a, b)
  }

  function andLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a & b
    if (a === 0n || b === 0n) return 0n
    return a === max || a === b ? b : b === max ? a : apply(wasm.i64And, a, b)
  }

  function orLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a | b
    if (a === max || b === max) return max
    return a === 0n || a === b ? b : b === 0n ? a : apply(wasm.i64Or, a, b)
  }

  function xorLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a ^ b
    return a === b ? 0n : a === 0n ? b : b === 0n ? a : apply(wasm.i64Xor, a, b)
  }

  function below(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? 1n : 0n
    return b === 0n || a === b ? 0n : compare(wasm.i64LtU, a, b)
  }

  function signedBelow(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return BigInt.asIntN(64, a) < BigInt.asIntN(64, b) ? 1n : 0n
    return a === b ? 0n : compare(wasm.i64LtS, a, b)
  }

  function isZeroLimb(a: Limb): Limb {
    if (typeof a === 'bigint') return a === 0n ? 1n : 0n
    get(a)
    emit(wasm.i64Eqz, wasm.i64ExtendI32U)
    return keep(emitter)
  }

  function equalLimbs(a: Limb, b: Limb): Limb {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a === b ? 1n : 0n
    if (a === b) return 1n
    return b === 0n ? isZeroLimb(a) : a === 0n ? isZeroLimb(b) : compare(wasm.i64Eq, a, b)
  }

  function shift(instruction: readonly number[], a: Limb, bits: number): Limb {
    if (bits === 0 || a === 0n) return a
    if (typeof a === 'bigint') return instruction === wasm.i64Shl ? (a << BigInt(bits)) & max : a >> BigInt(bits)
    return apply(instruction, a, BigInt(bits))
  }

  function each(a: Limbs, b: Limbs, f: (a: Limb, b: Limb) => Limb): Limbs {
    return [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
  }

  const truth = (limb: Limb): Limbs => [limb, 0n, 0n, 0n]
  const anyUpperBit = (a: Limbs) => orLimbs(orLimbs(a[1], a[2]), a[3])
  const anyBit = (a: Limbs) => orLimbs(a[0], anyUpperBit(a))

  function lessBy(a: Limbs, b: Limbs, topBelow: (a: Limb, b: Limb) => Limb): Limbs {
    let result = below(a[0], b[0])
    for (let i = 1; i < 4; i++) {
      const isLess = i === 3 ? topBelow(a[3], b[3]) : below(a[i]!, b[i]!)
      result = orLimbs(isLess, andLimbs(equalLimbs(a[i]!, b[i]!), result))
    }
    return truth(result)
  }

  function add(a: Limbs, b: Limbs): Limbs {
    const out: Limb[] = []
    let carry: Limb = 0n
    for (let i = 0; i < 4; i++) {
      const [x, y]: [Limb, Limb] = [a[i]!, b[i]!]
      const sum = addLimbs(x, y)
      const total = addLimbs(sum, carry)
      out.push(total)
      if (i === 3) break
      const first = x === 0n || y === 0n ? 0n : below(sum, x)
      carry = orLimbs(first, carry === 0n ? 0n : below(total, sum))
    }
    return out as unknown as Limbs
  }

  function subtract(a: Limbs, b: Limbs): Limbs {
    const out: Limb[] = []
    let borrow: Limb = 0n
    for (let i = 0; i < 4; i++) {
      const [x, y]: [Limb, Limb] = [a[i]!, b[i]!]
      const difference = subtractLimbs(x, y)
      out.push(subtractLimbs(difference, borrow))
      if (i < 3) borrow = orLimbs(below(x, y), below(difference, borrow))
    }
    return out as unknown as Limbs
  }

  return {
    push,
    add,
    subtract,
    less: (a, b) => lessBy(a, b, below),
    signedLess: (a, b) => lessBy(a, b, signedBelow),
    equal: (a, b) => truth(isZeroLimb(anyBit(each(a, b, xorLimbs)))),
    isZero: (a) => truth(isZeroLimb(anyBit(a))),
    and: (a, b) => each(a, b, andLimbs),
    or: (a, b) => each(a, b, orLimbs),
    xor: (a, b) => each(a, b, xorLimbs),
    not: (a) => each(a, [max, max, max, max], xorLimbs),
    shiftLeft(a, bits) {
      const [whole, rest] = [bits >> 6, bits & 63]
      const limb = (i: number) => a[i - whole] ?? 0n
      const at = (i: number) =>
        rest === 0 ? limb(i) : orLimbs(shift(wasm.i64Shl, limb(i), rest), shift(wasm.i64ShrU, limb(i - 1), 64 - rest))
      return [at(0), at(1), at(2), at(3)]
    },
    shiftRight(a, bits) {
      const [whole, rest] = [bits >> 6, bits & 63]
      const limb = (i: number) => a[i + whole] ?? 0n
      const at = (i: number) =>
        rest === 0 ? limb(i) : orLimbs(shift(wasm.i64ShrU, limb(i), rest), shift(wasm.i64Shl, limb(i + 1), 64 - rest))
      return [at(0), at(1), at(2), at(3)]
    },
    anyBit,
    anyUpperBit,
  }
}
