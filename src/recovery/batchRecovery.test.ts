import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { createJavaScriptCurve, curve, curveOrder } from '../primitives/secp256k1.ts'
import { bigIntToFixed, bytesToBigInt } from '../primitives/u256.ts'
import { createBatchRecovery, maxBatch, type RecoveryInput } from './batchRecovery.ts'
import { createRecoveryModule, halfWords, readNumber, slotParts, u1Words } from './recoveryModule.ts'

const batches = createBatchRecovery()!
const lambda = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n

const scalar = fc.bigInt({ min: 1n, max: curveOrder - 1n })
const word = (k: bigint) => bigIntToFixed(k, 32)

/** What somebody with this key has signed. */
const signed = fc
  .record({ key: scalar, text: fc.uint8Array(), isHigh: fc.boolean() })
  .map(({ key, text, isHigh }): RecoveryInput => {
    const digest = keccak256(text)
    const { rs, parity } = curve.sign(digest, word(key))
    if (!isHigh) return { digest, rs, parity }
    // The same signature with the other s, which blocks of Frontier have.
    const s = curveOrder - bytesToBigInt(rs.subarray(32))
    return { digest, rs: concatBytes(rs.subarray(0, 32), word(s)), parity: 1 - parity }
  })

/** Any numbers: about half of the first ones are no coordinate of a point. */
const number = fc.oneof(
  scalar,
  fc.constantFrom(0n, 1n, 2n, curveOrder - 1n, curveOrder, curveOrder + 1n, 2n ** 256n - 1n),
)
const anything = fc
  .record({ z: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), r: number, s: number, parity: fc.constantFrom(0, 1) })
  .filter(({ z }) => z !== curveOrder)
  .map(
    ({ z, r, s, parity }): RecoveryInput => ({ digest: word(z) as Hash32, rs: concatBytes(word(r), word(s)), parity }),
  )

const oneByOne = (inputs: readonly RecoveryInput[]) =>
  inputs.map(({ digest, rs, parity }) => curve.recover(digest, rs, parity))
const asText = (keys: readonly (Uint8Array | undefined)[] | undefined) =>
  keys?.map((key) => key && Buffer.from(key).toString('hex'))

test('scalars are made odd, and split into odd halves', () => {
  const wasm = createRecoveryModule()!
  const bytes = new Uint8Array(wasm.memory.buffer)
  const view = new DataView(wasm.memory.buffer)
  const slot = wasm.slotAt(0)

  /** k₁ or k₂. */
  function half(i: number): bigint {
    const k = readNumber(view, slot + slotParts.halves[i]!, halfWords)
    return bytes[slot + slotParts.signs[i]!] === 1 ? -k : k
  }

  const any = fc.oneof(
    scalar,
    fc.bigInt({ min: 0n, max: 2n ** 64n }),
    fc.constantFrom(0n, lambda, curveOrder - lambda, curveOrder - 1n),
  )
  const modulo = (k: bigint) => ((k % curveOrder) + curveOrder) % curveOrder
  fc.assert(
    fc.property(any, any, (z, k) => {
      bytes.set(word(1n), slot + slotParts.r)
      bytes.set(word(z), slot + slotParts.digest)
      bytes.set(word(k), slot + slotParts.s)
      // The product, 1, is its own inverse.
      wasm.multiplyAll(1)
      wasm.setScalars(1)
      const u1 = readNumber(view, slot + slotParts.u1, u1Words)
      expect(u1 & 1n).toBe(1n)
      expect(modulo(u1 + z)).toBe(0n)
      expect(u1).toBeLessThanOrEqual(2n * curveOrder)
      expect(modulo(half(0) + half(1) * lambda - k)).toBe(0n)
      for (const part of [half(0), half(1)]) {
        expect(part & 1n).toBe(1n)
        expect(part < 0n ? -part : part).toBeLessThan(2n ** 132n)
      }
    }),
    { numRuns: 2000 },
  )
})

test('batches of all lengths have the keys that the library finds', () => {
  const inputs = fc.array(fc.oneof(signed, anything), { maxLength: maxBatch, size: 'max' })
  fc.assert(
    fc.property(inputs, (some) => {
      expect(asText(batches.recover(some))).toEqual(asText(oneByOne(some)))
    }),
    { numRuns: 40 },
  )
})

test('an implementation in another language agrees', () => {
  const javaScript = createJavaScriptCurve()
  fc.assert(
    fc.property(fc.array(signed, { minLength: 8, maxLength: 8 }), (some) => {
      const expected = some.map(({ digest, rs, parity }) => javaScript.recover(digest, rs, parity))
      expect(asText(batches.recover(some))).toEqual(asText(expected))
    }),
    { numRuns: 5 },
  )
})

const g = curve.publicKey(word(1n))

/** A signature with R = G, and numbers such that u₁ and u₂ are these. */
function withScalars(u1: bigint, u2: bigint): RecoveryInput {
  const r = bytesToBigInt(g.subarray(0, 32))
  const z = curveOrder - ((u1 * r) % curveOrder)
  return {
    digest: word(z) as Hash32,
    rs: concatBytes(g.subarray(0, 32), word((u2 * r) % curveOrder)),
    parity: g[63]! & 1,
  }
}

const plain = withScalars(5n, 7n)

test.each([
  ['R times u₂ is G times u₁', withScalars(9n, 9n)],
  ['R times u₂ is the opposite of G times u₁', withScalars(9n, curveOrder - 9n)],
  ['nothing is signed', { ...plain, digest: new Uint8Array(32) as Hash32 }],
  ['the order is signed', { ...plain, digest: word(curveOrder) as Hash32 }],
])('others have to do it where %s', (_, special) => {
  expect(batches.recover([plain, special, plain])).toBeUndefined()
  expect(asText(batches.recover([plain, plain]))).toEqual(
    asText([curve.publicKey(word(12n)), curve.publicKey(word(12n))]),
  )
})
