import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex } from './hex.ts'
import { createRunningKeccak, emptyCodeHash, keccak256, keccak256Into } from './keccak.ts'

describe('keccak256', () => {
  test('equals an independent implementation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (data) => {
        expect(toHex(keccak256(data))).toBe(toHex(keccak_256(data)))
      }),
      { numRuns: 300 },
    )
  })

  test('input larger than the area that was reserved at first', () => {
    const data = new Uint8Array(300_000).fill(7)
    expect(toHex(keccak256(data))).toBe(toHex(keccak_256(data)))
    expect(toHex(keccak256(new Uint8Array(0)))).toBe(toHex(emptyCodeHash))
  })

  test('the result does not change with later calls', () => {
    const first = keccak256(Uint8Array.of(1))
    const copy = first.slice()
    keccak256(Uint8Array.of(2))
    expect(first).toEqual(copy)
  })

  test('writes into a buffer', () => {
    const out = new Uint8Array(40)
    keccak256Into(Uint8Array.of(1, 2, 3), out, 4)
    expect(out.subarray(4, 36)).toEqual(keccak256(Uint8Array.of(1, 2, 3)))
    expect(out[3]).toBe(0)
    expect(out[36]).toBe(0)
  })
})

describe('a running digest', () => {
  test('equals that of all bytes at once, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 }), (pieces) => {
        const running = createRunningKeccak()
        for (const [i, piece] of pieces.entries()) {
          running.update(piece)
          const whole = Buffer.concat(pieces.slice(0, i + 1))
          expect(toHex(running.digest())).toBe(toHex(keccak_256(whole)))
        }
      }),
    )
  })

  test('two do not disturb each other', () => {
    const [a, b] = [createRunningKeccak(), createRunningKeccak()]
    a.update(Uint8Array.of(1))
    b.update(Uint8Array.of(3))
    a.update(Uint8Array.of(2))
    b.update(new Uint8Array(500))
    expect(toHex(a.digest())).toBe(toHex(keccak256(Uint8Array.of(1, 2))))
  })
})
