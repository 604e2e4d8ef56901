import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evmSuite } from '../../test/support/evmSuite.ts'
import { assemble, contract, sender, startWorld } from '../../test/support/evmWorld.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { bytesToBigInt, maxU256, toWord } from '../primitives/u256.ts'
import type { EvmKind } from './evmModule.ts'

const signed = (x: bigint) => BigInt.asIntN(256, x)
const magnitude = (x: bigint) => (x < 0n ? -x : x)

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (; exponent > 0n; exponent >>= 1n, base = (base * base) & maxU256)
    if (exponent & 1n) result = (result * base) & maxU256
  return result
}

function signExtend(k: bigint, x: bigint): bigint {
  return k > 30n ? x : BigInt.asIntN(Number(k + 1n) * 8, x)
}

/** What each opcode makes of its operands, the first being the top of the stack. Results count modulo 2^256. */
const meanings: Record<string, (a: bigint, b: bigint, c: bigint) => bigint> = {
  ADD: (a, b) => a + b,
  MUL: (a, b) => a * b,
  SUB: (a, b) => a - b,
  DIV: (a, b) => (b ? a / b : 0n),
  SDIV: (a, b) => (b ? signed(a) / signed(b) : 0n),
  MOD: (a, b) => (b ? a % b : 0n),
  SMOD: (a, b) => (b ? signed(a) % signed(b) : 0n),
  ADDMOD: (a, b, c) => (c ? (a + b) % c : 0n),
  MULMOD: (a, b, c) => (c ? (a * b) % c : 0n),
  EXP: power,
  SIGNEXTEND: signExtend,
  LT: (a, b) => (a < b ? 1n : 0n),
  GT: (a, b) => (a > b ? 1n : 0n),
  SLT: (a, b) => (signed(a) < signed(b) ? 1n : 0n),
  SGT: (a, b) => (signed(a) > signed(b) ? 1n : 0n),
  EQ: (a, b) => (a === b ? 1n : 0n),
  ISZERO: (a) => (a === 0n ? 1n : 0n),
  AND: (a, b) => a & b,
  OR: (a, b) => a | b,
  XOR: (a, b) => a ^ b,
  NOT: (a) => ~a,
  BYTE: (a, b) => (a > 31n ? 0n : (b >> (8n * (31n - a))) & 255n),
  SHL: (a, b) => (a > 255n ? 0n : b << a),
  SHR: (a, b) => (a > 255n ? 0n : b >> a),
  SAR: (a, b) => signed(b) >> (a > 255n ? 255n : a),
  CLZ: (a) => 256n - BigInt(a === 0n ? 0 : magnitude(a).toString(2).length),
}

/** Words with the shapes that arithmetic trips over: limb borders, long runs of ones, small numbers. */
const word = fc.oneof(
  fc.bigInt({ min: 0n, max: maxU256 }),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.tuple(fc.integer({ min: 0, max: 256 }), fc.bigInt({ min: -2n, max: 2n })).map(([bits, d]) => {
    return BigInt.asUintN(256, (1n << BigInt(bits)) + d)
  }),
  fc
    .array(fc.constantFrom(0n, 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n), { minLength: 4, maxLength: 4 })
    .map((limbs) => limbs.reduce((n, limb) => (n << 64n) | limb, 0n)),
)

function createCalculator(kind: EvmKind): (op: string, operands: readonly bigint[]) => bigint {
  const evm = startWorld([], { kind })
  return (op, operands) => {
    evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
    const loads = operands.map((_, i) => `${32 * i} CALLDATALOAD`).reverse()
    evm.setCode(contract, assemble(`${loads.join(' ')} ${op} 0 MSTORE 32 0 RETURN`))
    const data = concatBytes(...operands.map(toWord))
    const { output } = evm.call({ from: sender, to: contract, value: 0n, data, gas: 100_000n })
    return bytesToBigInt(output)
  }
}

evmSuite('arithmetic', (_, kind) => {
  const calculate = createCalculator(kind)
  test.each(Object.keys(meanings))('%s is what bigint says', (op) => {
    const meaning = meanings[op]!
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(calculate(op, [a, b, c].slice(0, Math.max(meaning.length, 1)))).toBe(
          BigInt.asUintN(256, meaning(a, b, c)),
        )
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('operands next to multiples of the divisor', () => {
    const few = fc.bigInt({ min: -2n, max: 2n })
    fc.assert(
      fc.property(word, word, few, few, (divisor, factor, more, less) => {
        const near = (n: bigint) => BigInt.asUintN(256, n)
        const a = near(divisor * factor + more)
        for (const op of ['DIV', 'MOD', 'SDIV', 'SMOD']) {
          expect(calculate(op, [a, divisor])).toBe(BigInt.asUintN(256, meanings[op]!(a, divisor, 0n)))
        }
        const b = near(divisor + less)
        expect(calculate('ADDMOD', [a, b, divisor])).toBe(meanings['ADDMOD']!(a, b, divisor))
        expect(calculate('ADDMOD', [near(b + more), b, divisor])).toBe(meanings['ADDMOD']!(near(b + more), b, divisor))
        expect(calculate('MULMOD', [b, factor, divisor])).toBe(meanings['MULMOD']!(b, factor, divisor))
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  test('division of the smallest number by -1 stays the smallest number', () => {
    expect(calculate('SDIV', [1n << 255n, maxU256])).toBe(1n << 255n)
  })

  test('quotient digits that are guessed too high are corrected', () => {
    const a = (((1n << 64n) - 1n) << 192n) | (1n << 64n)
    const b = (((1n << 64n) - 1n) << 128n) | ((1n << 128n) - 1n)
    expect(calculate('DIV', [a, b])).toBe(a / b)
    expect(calculate('MOD', [a, b])).toBe(a % b)
  })
})
