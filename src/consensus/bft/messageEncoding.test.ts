import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import { blockFor, cryptoOf, genesisOf } from '../../../test/support/machineNetwork.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { encodeRlp, encodeRlpList, type RlpItem, scalar } from '../../primitives/rlp.ts'
import { rlpMembers as rlpMembersOf } from '../../primitives/rlpMembers.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBftReader } from './bftReader.ts'
import { type BftEncoding, encodingOf, inEncoding, type ListPlace, plainForm } from './messageEncoding.ts'
import type { BftKind } from './messages.ts'
import { toProposedBlock } from './proposedBlock.ts'
import type { BftProtocol } from './protocol.ts'
import { readMessage } from './readMessage.ts'

const none = Uint8Array.of(0x80)
const emptyList = Uint8Array.of(0xc0)
const four = authorities(4)
const [a, b] = four as [Authority, Authority]

interface Fixture {
  readonly name: string
  readonly protocol: BftProtocol
  readonly kind: BftKind
  readonly encoding: BftEncoding
  readonly author: Authority
  readonly round: number
  readonly hasBlock: boolean
  readonly bytes: Uint8Array
}

/** Item by item as shared between versions of Besu, without the encoders of this project. */
function fixturesOf(protocol: BftProtocol): Fixture[] {
  const isQbft = protocol.name === 'qbft'
  const parent = genesisOf(protocol, four)
  const block = toProposedBlock(protocol.codec, blockFor(protocol, a, four, { parent, round: 0, timestamp: 5n }))
  const number = (value: number, length: number) =>
    encodeRlp(isQbft ? scalar(value) : bigIntToFixed(BigInt(value), length))
  const viewOf = (round: number) => [number(1, 8), number(round, 4)]
  const sign = (who: Authority, kind: BftKind, items: readonly Uint8Array[]) => {
    const payload = encodeRlpList(items)
    const digest = protocol.signingDigest(protocol.codes[kind], payload)
    return encodeRlpList([payload, encodeRlp(cryptoOf(who).sign(digest))])
  }
  const nothing: RlpItem = isQbft ? [] : new Uint8Array(0)
  const change = sign(b, 'roundChange', [...viewOf(1), encodeRlp(nothing)])
  const proposed = (list: readonly Uint8Array[]) =>
    isQbft
      ? [sign(a, 'proposal', [...viewOf(0), block.bytes, ...list]), encodeRlp([[], []])]
      : [sign(a, 'proposal', [...viewOf(0), encodeRlp(block.digest)]), block.bytes, none, ...list]
  const changed = (list: readonly Uint8Array[], bytes: Uint8Array | undefined) =>
    isQbft ? [change, bytes ?? emptyList, ...list, emptyList] : [change, bytes ?? none, ...list]
  const both = [
    ['legacy', []],
    ['accessList', [none]],
  ] as const
  return both.flatMap(([encoding, list]) => [
    {
      ...{ name: `${protocol.name} proposal, ${encoding}`, protocol, kind: 'proposal', encoding },
      ...{ author: a, round: 0, hasBlock: true, bytes: encodeRlpList(proposed(list)) },
    },
    {
      ...{ name: `${protocol.name} round change, ${encoding}`, protocol, kind: 'roundChange', encoding },
      ...{ author: b, round: 1, hasBlock: false, bytes: encodeRlpList(changed(list, undefined)) },
    },
    {
      ...{ name: `${protocol.name} round change of a block, ${encoding}`, protocol, kind: 'roundChange', encoding },
      ...{ author: b, round: 1, hasBlock: true, bytes: encodeRlpList(changed(list, block.bytes)) },
    },
  ])
}

const fixtures = [qbftProtocol, ibft2Protocol].flatMap(fixturesOf)
const otherOf = ({ name }: Fixture) =>
  fixtures.find((one) => one.name !== name && one.name.split(',')[0] === name.split(',')[0])!

/** Throws if a fixture is not read as what it is, or cannot be written in the other encoding. */
function check(fixture: Fixture): void {
  const { protocol, kind, bytes, author, encoding } = fixture
  const read = readMessage(protocol, kind, bytes, createBftReader(protocol, cryptoOf(a)))
  if (read.kind !== 'proposal' && read.kind !== 'roundChange') throw new Error('another kind')
  expect(toHex(read.signed.author)).toBe(toHex(author.address))
  expect(read.signed.payload).toMatchObject({ height: 1n, round: fixture.round })
  expect(read.block !== undefined).toBe(fixture.hasBlock)
  expect(encodingOf(protocol, kind, bytes)).toBe(encoding)
  const other = otherOf(fixture)
  expect(inEncoding(protocol, kind, bytes, other.encoding, cryptoOf(author).sign)).toEqual(other.bytes)
  expect(inEncoding(protocol, kind, bytes, encoding, undefined)).toBe(bytes)
}

test.each(fixtures)('$name', check)

test.each([
  // Written by Besu 26.8, for the keys 0x22… and 0x33… of its own tests.
  [
    qbftProtocol,
    'f84cf847c30201c0b84123a3d8d4e577fd6ada740a2c4dbf7d06b467ac966014d9a185a126262f07bdfa626ad36439a92e08285beba84f24884401756d610cb0db7b4c3cb8136094ec5a01c080c0',
  ],
  [
    ibft2Protocol,
    'f857f853cf880000000000000004840000000180b841531f3f92d983705f321297110ecefb1879920f3615d330efac5b5d90c7b9d6405dde3d9d6e94d25e4f35fd5d32d194bd3e0926a7a584df61c2465fcb79ec090b008080',
  ],
])('a round change of Besu 26 for $name', (protocol, hex) => {
  const bytes = fromHex(hex)
  const read = readMessage(protocol, 'roundChange', bytes, createBftReader(protocol, cryptoOf(a)))
  expect(read).toMatchObject({ block: undefined, certificate: undefined, signed: { payload: { round: 1 } } })
  const legacy = inEncoding(protocol, 'roundChange', bytes, 'legacy', undefined)!
  expect(legacy.length).toBe(bytes.length - 1)
  expect(inEncoding(protocol, 'roundChange', legacy, 'accessList', undefined)).toEqual(bytes)
})

describe('a decoder that is wrong is found', () => {
  const mutants: readonly Partial<ListPlace>[] = [{ at: 0 }, { at: 1 }, { count: 5 }, { count: 2 }, { count: 9 }]
  const cases = [qbftProtocol, ibft2Protocol].flatMap((protocol) =>
    (['proposal', 'roundChange'] as const).flatMap((kind) =>
      [...mutants, { isSigned: !protocol.accessList[kind].isSigned }].map((mutant) => ({ protocol, kind, mutant })),
    ),
  )

  test.each(cases)('$protocol.name $kind $mutant', ({ protocol, kind, mutant }) => {
    const place = protocol.accessList[kind]
    const before = { ...place }
    const found = () => {
      for (const fixture of fixtures) if (fixture.protocol === protocol && fixture.kind === kind) check(fixture)
    }
    Object.assign(place, mutant)
    try {
      expect(found).toThrow()
    } finally {
      Object.assign(place, before)
    }
    expect(found).not.toThrow()
  })
})

test.each(fixtures.filter(({ encoding }) => encoding === 'accessList'))(
  '$name: what stands in place of the list',
  ({ protocol, kind, bytes, author }) => {
    const place = protocol.accessList[kind as 'proposal' | 'roundChange']
    const withItem = (item: Uint8Array) => {
      const split = (data: Uint8Array): Uint8Array => {
        const members = [...rlpMembersOf(data)]
        members[place.at] = item
        return encodeRlpList(members)
      }
      if (!place.isSigned) return split(bytes)
      const [signed, ...rest] = rlpMembersOf(bytes)
      const payload = split(rlpMembersOf(signed!)[0]!)
      const signature = encodeRlp(cryptoOf(author).sign(protocol.signingDigest(protocol.codes[kind], payload)))
      return encodeRlpList([encodeRlpList([payload, signature]), ...rest])
    }
    const read = (item: Uint8Array) =>
      readMessage(protocol, kind, withItem(item), createBftReader(protocol, cryptoOf(a))).signed.author
    for (const list of [none, emptyList, encodeRlp([[author.address]])]) expect(read(list)).toEqual(author.address)
    for (const other of [Uint8Array.of(1), encodeRlp(author.address)])
      expect(() => read(other)).toThrow('RLP_WRONG_KIND')
    // What a list says would be lost.
    for (const list of [emptyList, encodeRlp([[author.address]])]) {
      expect(inEncoding(protocol, kind, withItem(list), 'legacy', cryptoOf(author).sign)).toBeUndefined()
      expect(plainForm(protocol, kind, withItem(list))).toEqual(withItem(list))
    }
  },
)

test("another's signed proposal stays as it is, and prepares have one encoding", () => {
  const [first] = fixtures.filter(({ protocol }) => protocol === qbftProtocol)
  expect(inEncoding(qbftProtocol, 'proposal', first!.bytes, 'accessList', undefined)).toBeUndefined()
  expect(encodingOf(qbftProtocol, 'prepare', first!.bytes)).toBeUndefined()
  expect(inEncoding(qbftProtocol, 'commit', first!.bytes, 'accessList', undefined)).toBe(first!.bytes)
  const rubbish = Uint8Array.of(1, 2, 3)
  expect(plainForm(qbftProtocol, 'proposal', rubbish)).toBe(rubbish)
})
