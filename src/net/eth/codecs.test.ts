import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, encodeRlpList, type RlpItem } from '../../primitives/rlp.ts'
import { messagesOf } from './messages.ts'
import { decodeHashQuery, decodeHeaderQuery, encodeAnswer, encodeQuery, headerQueryToRlp } from './queries.ts'
import { decodeSparse, rlpParts } from './rlpParts.ts'
import { decodeStatus, encodeStatus } from './status.ts'
import { decodeAnnouncement, encodeAnnouncement } from './txAnnouncement.ts'

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes as Hash32)
const u32 = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const item: fc.Arbitrary<RlpItem> = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 3 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 6 })),
})).item

describe('decoding undoes encoding', () => {
  const status = fc.record({
    version: fc.constantFrom(66, 67, 68),
    networkId: u64,
    totalDifficulty: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    bestHash: hash,
    genesisHash: hash,
    forkId: fc.record({ hash: fc.integer({ min: 0, max: 2 ** 32 - 1 }), next: u64 }),
  })
  test('of a status', () =>
    fc.assert(fc.property(status, (value) => void expect(decodeStatus(encodeStatus(value))).toEqual(value))))

  const query = fc.record({ start: fc.oneof(hash, u64), count: u32, skip: u32, reverse: fc.boolean() })
  test('of a query for headers', () =>
    fc.assert(
      fc.property(
        u32,
        query,
        (id, wanted) =>
          void expect(decodeHeaderQuery(encodeQuery(id, headerQueryToRlp(wanted)))).toEqual({ id: BigInt(id), wanted }),
      ),
    ))

  test('of a query by hashes', () =>
    fc.assert(
      fc.property(
        u32,
        fc.array(hash),
        (id, wanted) => void expect(decodeHashQuery(encodeQuery(id, wanted))).toEqual({ id: BigInt(id), wanted }),
      ),
    ))

  const announced = fc.record({ hash, type: fc.integer({ min: 0, max: 4 }), size: u32 })
  test('of an announcement', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(66 as const, 67 as const, 68 as const),
        fc.array(announced),
        (version, txs) =>
          void expect(decodeAnnouncement(version, encodeAnnouncement(version, txs))).toEqual(
            txs.map(({ hash, ...claim }) => ({ hash, claim: version < 68 ? undefined : claim })),
          ),
      ),
    ))
})

test('a list falls into its encoded members', () =>
  fc.assert(
    fc.property(fc.array(item), (items) => void expect(rlpParts(encodeRlp(items))).toEqual(items.map(encodeRlp))),
  ))

test('what consists of more items than any honest message is refused unread', () => {
  const dense = encodeRlp(Array.from({ length: 1000 }, () => []))
  expect(() => rlpParts(dense)).toThrow('invalid message')
  expect(() => decodeSparse(encodeRlp([decodeRlp(dense)]))).toThrow('invalid message')
  const hashes = Array.from({ length: 1000 }, () => new Uint8Array(32))
  expect(decodeSparse(encodeRlp(hashes))).toEqual(hashes)
  expect(() => rlpParts(encodeRlp(hashes), 999)).toThrow('invalid message')
})

test('random bytes are a fault, or fall into members that make them up', () =>
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      let parts: Uint8Array[] | undefined
      try {
        parts = rlpParts(bytes)
      } catch (error) {
        expect(error).toHaveProperty('at.code', expect.stringContaining('RLP_'))
      }
      if (parts) expect(encodeRlpList(parts)).toEqual(bytes)
    }),
  ))

test('an answer carries the number of its request', () =>
  void expect(decodeRlp(encodeAnswer(300n, [encodeRlp([])]))).toEqual([Uint8Array.of(1, 44), [[]]]))

test('an announcement of unequal lengths is refused', () => {
  const lists: RlpItem[] = [Uint8Array.of(0, 1), [Uint8Array.of(9)], [new Uint8Array(32)]]
  expect(() => decodeAnnouncement(68, encodeRlp(lists))).toThrow('different lengths')
})

test('a size that Besu has padded is read', () => {
  const lists: RlpItem[] = [Uint8Array.of(2), [Uint8Array.of(0, 0, 1, 2)], [new Uint8Array(32)]]
  expect(decodeAnnouncement(68, encodeRlp(lists))[0]!.claim).toEqual({ type: 2, size: 258 })
})

test('requests that are too long are refused unread', () =>
  expect(() => decodeHashQuery(new Uint8Array(200_000))).toThrow('request of 200000 bytes'))

test('node data belongs to eth/66 alone', () => {
  expect([...messagesOf(66).values()]).toContain('getNodeData')
  expect([...messagesOf(67).values()]).not.toContain('getNodeData')
  expect(messagesOf(68).get(8)).toBe('newPooledTransactionHashes')
})
