import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { NetError } from '../fault.ts'
import { snappyCompress, snappyDecompress } from './snappy.ts'

const limit = 0xffffff
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 40 })), { maxLength: 20 })
  .map((runs) =>
    Uint8Array.from(runs.flatMap(([bytes, times]) => Array.from({ length: times }, () => [...bytes]).flat())),
  )

describe('snappy', () => {
  test('decompressing undoes compressing', () => {
    const roundTrip = (data: Uint8Array) => {
      expect(toHex(snappyDecompress(snappyCompress(data), limit))).toBe(toHex(data))
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), roundTrip))
    fc.assert(fc.property(repetitive, roundTrip))
  })

  test('data longer than a block, with matches of every length', () => {
    const data = new Uint8Array(300_000).map((_, i) => (i % 70_000 < 40_000 ? i % 251 : (i * i) >> 9))
    const compressed = snappyCompress(data)
    expect(compressed.length).toBeLessThan(data.length)
    expect(Buffer.compare(snappyDecompress(compressed, limit), data)).toBe(0)
  })

  test('the empty list, as other clients write it', () => {
    expect(toHex(snappyCompress(Uint8Array.of(0xc0)))).toBe('0x0100c0')
    expect(snappyDecompress(fromHex('0100c0'), limit)).toEqual(Uint8Array.of(0xc0))
  })

  test.each([
    ['a copy with a short offset', '06 04 6162 01 02', 'ababab'],
    ['a copy with four bytes of offset', '06 04 6162 0f 02000000', 'ababab'],
    ['a copy that overlaps itself', '05 00 61 0e 0100', 'aaaaa'],
  ])('%s', (_, given, want) => {
    expect(Buffer.from(snappyDecompress(fromHex(given.replaceAll(' ', '')), limit)).toString()).toBe(want)
  })

  test.each([
    ['nothing', ''],
    ['a length without end', 'ffffffffffff'],
    ['more than the limit', 'ffffff7f00'],
    ['more than the rest can give', '8080400000'],
    ['less than it says', '0500c0'],
    ['more than it says', '0004c0c0'],
    ['a literal past the end', '0814c0'],
    ['a copy of what is not there', '0504c0c0 0e 0500'.replaceAll(' ', '')],
    ['a copy from nowhere', '0504c0c0 0e 0000'.replaceAll(' ', '')],
    ['a copy cut short', '0504c0c0 0e 01'.replaceAll(' ', '')],
  ])('%s is a fault', (_, given) => expect(() => snappyDecompress(fromHex(given), limit)).toThrow(NetError))

  test('arbitrary bytes give a fault or at most what they declare', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
        try {
          expect(snappyDecompress(data, 1000).length).toBeLessThanOrEqual(1000)
        } catch (error) {
          expect(error).toBeInstanceOf(NetError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
