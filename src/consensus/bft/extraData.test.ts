import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyBytes, toAddress } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList } from '../../primitives/rlp.ts'
import { ibft2Codec } from '../ibft2/ibft2Codec.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'
import { type BftExtraData, bftGenesisExtraData } from './extraData.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const address = bytes(20).map(toAddress)
const extraData = fc.record<BftExtraData>({
  vanity: bytes(32),
  validators: fc.array(address, { maxLength: 5 }),
  vote: fc.option(fc.record({ recipient: address, add: fc.boolean() }), { nil: undefined }),
  round: fc.integer({ min: 0, max: 0xffff_ffff }),
  seals: fc.array(bytes(65), { maxLength: 5 }),
})
const codecs = { ibft2: ibft2Codec, qbft: qbftCodec } as const

for (const [name, codec] of Object.entries(codecs))
  describe(name, () => {
    test('decode undoes encode', () => {
      fc.assert(
        fc.property(extraData, (data) => {
          expect(codec.decode(codec.encode(data, 'whole'))).toEqual(data)
        }),
      )
    })

    test('a vote is seen without decoding', () => {
      fc.assert(
        fc.property(extraData, (data) => {
          expect(codec.hasVote(codec.encode(data, 'whole'))).toBe(data.vote !== undefined)
        }),
      )
    })

    test('what is signed does not depend on seals, what is hashed neither on them nor on the round', () => {
      fc.assert(
        fc.property(extraData, extraData, (data, { seals, round }) => {
          const commit = { ...data, seals }
          const same = { ...commit, round }
          expect(codec.encode(commit, 'commit')).toEqual(codec.encode(data, 'commit'))
          expect(codec.encode(same, 'hash')).toEqual(codec.encode(data, 'hash'))
          if (round !== data.round) expect(codec.encode(same, 'commit')).not.toEqual(codec.encode(data, 'commit'))
        }),
      )
    })
  })

test('the empty forms', () => {
  const zeros = '00'.repeat(32)
  expect(toHex(bftGenesisExtraData(ibft2Codec, []))).toBe(`0xe9a0${zeros}c0808400000000c0`)
  expect(toHex(bftGenesisExtraData(qbftCodec, []))).toBe(`0xe5a0${zeros}c0c080c0`)
})

const vanity = new Uint8Array(32)
const someone = new Uint8Array(20).fill(7)
const round = new Uint8Array(4)

describe('qbft', () => {
  test('writes a vote to drop as nothing and reads a zero byte as well', () => {
    const data = { vanity, validators: [], vote: { recipient: toAddress(someone), add: false }, round: 0, seals: [] }
    const members = rlpList(decodeRlp(qbftCodec.encode(data, 'whole')))
    expect(members[2]).toEqual([someone, emptyBytes])
    const other = encodeRlp([vanity, [], [someone, Uint8Array.of(0)], emptyBytes, []])
    expect(qbftCodec.decode(other).vote).toEqual(data.vote)
  })

  test('lets further members follow, and does not read them', () => {
    const more = [someone, [someone], Uint8Array.of(1)]
    expect(qbftCodec.decode(encodeRlp([vanity, [], [], emptyBytes, [], ...more])).validators).toEqual([])
    const cut = encodeRlp([vanity, [], [], emptyBytes, [], someone]).subarray(0, -1)
    expect(() => qbftCodec.decode(cut)).toThrow()
  })

  test.each<[string, RlpItem]>([
    ['a missing member', [vanity, [], [], emptyBytes]],
    ['a short validator', [vanity, [new Uint8Array(19)], [], emptyBytes, []]],
    ['half a vote', [vanity, [], [someone], emptyBytes, []]],
    ['a vote of another type', [vanity, [], [someone, Uint8Array.of(1)], emptyBytes, []]],
    ["IBFT's lack of a vote", [vanity, [], emptyBytes, emptyBytes, []]],
    ["IBFT's round", [vanity, [], [], round, []]],
    ['a round of five bytes', [vanity, [], [], new Uint8Array(5).fill(1), []]],
    ['a short seal', [vanity, [], [], emptyBytes, [new Uint8Array(64)]]],
    ['no list', vanity],
  ])('refuses %s', (_, item) => expect(() => qbftCodec.decode(encodeRlp(item))).toThrow())
})

describe('ibft2', () => {
  test.each<[string, RlpItem]>([
    ['a further member', [vanity, [], emptyBytes, round, [], someone]],
    ["QBFT's lack of a vote", [vanity, [], [], round, []]],
    ["QBFT's round", [vanity, [], emptyBytes, emptyBytes, []]],
    ["QBFT's vote to drop", [vanity, [], [someone, emptyBytes], round, []]],
  ])('refuses %s', (_, item) => expect(() => ibft2Codec.decode(encodeRlp(item))).toThrow())
})
