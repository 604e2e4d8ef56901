import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes } from './bytes.ts'
import { fromHex, toHex } from './hex.ts'
import {
  decodeRlp,
  encodeRlp,
  encodeRlpList,
  RlpError,
  type RlpItem,
  rlpContentAt,
  rlpItemEnd,
  rlpScalar,
  scalar,
} from './rlp.ts'

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 5 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 6 })),
}))

function faultOf(hex: string): string {
  try {
    decodeRlp(fromHex(hex))
  } catch (error) {
    if (error instanceof RlpError) return error.at.code
  }
  return 'none'
}

describe('rlp', () => {
  test('decode undoes encode', () => {
    fc.assert(
      fc.property(item, (x) => {
        expect(decodeRlp(encodeRlp(x))).toEqual(x)
      }),
    )
  })

  test('whatever decodes is the encoding of what it decodes to', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        let decoded: RlpItem
        try {
          decoded = decodeRlp(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(RlpError)
          return
        }
        expect(encodeRlp(decoded)).toEqual(bytes)
      }),
      { numRuns: 2000 },
    )
  })

  test('a list of encoded members equals the list', () => {
    fc.assert(
      fc.property(fc.array(item), (xs) => {
        expect(encodeRlpList(xs.map(encodeRlp))).toEqual(encodeRlp(xs))
      }),
    )
  })

  test('the content of one member is found without decoding the others', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), fc.nat(), (xs, n) => {
        const member = xs[n % xs.length]!
        const content = member instanceof Uint8Array ? member : concatBytes(...member.map(encodeRlp))
        expect(rlpContentAt(encodeRlp(xs), n % xs.length)).toEqual(content)
      }),
    )
    expect(() => rlpContentAt(encodeRlp([]), 0)).toThrow(RlpError)
    expect(() => rlpContentAt(encodeRlp(new Uint8Array(3)), 0)).toThrow(RlpError)
  })

  test('the end of an item is found without decoding it', () => {
    fc.assert(
      fc.property(item, fc.uint8Array(), (x, rest) => {
        const bytes = encodeRlp(x)
        expect(rlpItemEnd(new Uint8Array([...bytes, ...rest]), 0)).toBe(bytes.length)
      }),
    )
  })

  test.each([
    ['', 'RLP_TRUNCATED'],
    ['83646f', 'RLP_TRUNCATED'],
    ['c28080c0', 'RLP_TRAILING_BYTES'],
    ['8105', 'RLP_NOT_CANONICAL'],
    ['b801ff', 'RLP_NOT_CANONICAL'],
    [`b90000${'00'.repeat(2)}`, 'RLP_NOT_CANONICAL'],
    ['f80102', 'RLP_NOT_CANONICAL'],
    ['bfffffffffffffffff', 'RLP_TRUNCATED'],
    ['c1'.repeat(1200) + 'c0', 'RLP_TRUNCATED'],
  ])('refuses %s', (hex, code) => expect(faultOf(hex)).toBe(code))

  test('nesting has a limit', () => {
    let nested: RlpItem = []
    for (let i = 0; i < 1100; i++) nested = [nested]
    expect(faultOf(toHex(encodeRlp(nested)))).toBe('RLP_TOO_DEEP')
  })

  test('scalars have no leading zeros and a limit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (n) => {
        expect(rlpScalar(scalar(n))).toBe(n)
      }),
    )
    expect(() => rlpScalar(Uint8Array.of(0, 1))).toThrow('RLP_LEADING_ZERO')
    expect(() => rlpScalar(new Uint8Array(9).fill(1), 64)).toThrow('RLP_TOO_LARGE')
  })
})
