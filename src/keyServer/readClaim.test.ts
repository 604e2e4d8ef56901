import { describe, expect, test } from 'vitest'
import { allToSign, wordsToSign } from '../../test/support/signedContents.ts'
import { inEncoding } from '../consensus/bft/messageEncoding.ts'
import { encodeSigned } from '../consensus/bft/payloads.ts'
import { ibft2Protocol } from '../consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../consensus/qbft/qbftProtocol.ts'
import type { SignedKind } from '../keys/nodeIdentity.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, encodeRlpList, type RlpItem, scalar } from '../primitives/rlp.ts'
import { rlpMembers } from '../primitives/rlpMembers.ts'
import { readClaim } from './readClaim.ts'

const kinds: readonly SignedKind[] = ['packet', 'record', 'ibft2', 'qbft', 'ibft2-seal', 'qbft-seal', 'clique']
const all = allToSign()

const canBeRead = (kind: SignedKind, content: Uint8Array): boolean => {
  try {
    readClaim(kind, content)
    return true
  } catch {
    return false
  }
}

test('there is something of each kind', () => {
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(kinds))
})

test.each(all.map((what, i) => [`${i} ${what.kind}`, what] as const))(
  '%s is read as what it is, and as nothing else',
  (_, { kind, digest, content }) => {
    expect(keccak256(content())).toEqual(digest)
    expect(kinds.filter((other) => canBeRead(other, content()))).toEqual([kind])
  },
)

const address = new Uint8Array(20).fill(1)
const words = (count: number, first: RlpItem = scalar(1337)): RlpItem[] => [
  first,
  ...Array.from({ length: count - 1 }, () => scalar(1)),
]
const behind = (type: number, items: RlpItem) => concatBytes(Uint8Array.of(type), encodeRlp(items))
const emptyBytes = new Uint8Array(0)

test.each<[string, Uint8Array]>([
  ['a transaction before EIP-155', encodeRlp(words(6))],
  [
    'a transaction of EIP-155',
    encodeRlp([...words(3), address, scalar(1), emptyBytes, scalar(1337), emptyBytes, emptyBytes]),
  ],
  ['a transaction of type 1', behind(1, [...words(7), []])],
  ['a transaction of type 2', behind(2, [...words(8), []])],
  ['a transaction of type 3', behind(3, [...words(8), [], scalar(1), []])],
  ['a transaction of type 4', behind(4, [...words(8), [], []])],
  ['an authorization', behind(5, [scalar(1337), address, scalar(1)])],
  ['signed text', new TextEncoder().encode('\x19Ethereum Signed Message:\n5hello')],
  ['typed data', concatBytes(Uint8Array.of(0x19, 1), new Uint8Array(64))],
  ['nothing', emptyBytes],
  ['a bare hash', new Uint8Array(32).fill(3)],
])('%s is nothing that is signed here', (_, content) => {
  expect(kinds.filter((kind) => canBeRead(kind, content))).toEqual([])
})

describe.each([ibft2Protocol, qbftProtocol])('$name', (protocol) => {
  const { proposal, prepare, commit, seal, roundChange, roundChangeFrom } = wordsToSign(protocol, 12n, 3)
  const read = ({ kind, content }: typeof prepare) => readClaim(kind, content())

  test('proposal, prepare and commit are one vote for one block', () => {
    const said = read(prepare)
    expect(said).toMatchObject({ type: 'bft', height: 12n, round: 3, word: 'vote', commits: false })
    expect(read(proposal)).toEqual(said)
    expect(read(commit)).toEqual({ ...said, commits: true })
  })

  test('a seal says its height and round', () => {
    expect(read(seal)).toMatchObject({ type: 'bft', height: 12n, round: 3, word: 'seal', commits: true })
  })

  test('a round change says what was prepared', () => {
    expect(read(roundChange)).toMatchObject({ word: 'roundChange', round: 3, preparedRound: undefined })
    expect(read(roundChangeFrom(2))).toMatchObject({ word: 'roundChange', round: 3, preparedRound: 2 })
  })

  test('what is cut or has more behind it is refused', () => {
    for (const { kind, content } of [proposal, prepare, commit, seal, roundChange]) {
      const bytes = content()
      expect(canBeRead(kind, bytes.subarray(0, -1))).toBe(false)
      expect(canBeRead(kind, concatBytes(bytes, Uint8Array.of(0)))).toBe(false)
    }
  })
})

test('a proposal of QBFT in the encoding of Besu 26 says the same', () => {
  const { proposal } = wordsToSign(qbftProtocol, 12n, 3)
  const [, payload] = rlpMembers(proposal.content(), 2)
  let signed: Uint8Array | undefined
  const { signingDigest } = qbftProtocol
  const protocol = {
    ...qbftProtocol,
    signingDigest(code: number, bytes: Uint8Array) {
      signed = bytes
      return signingDigest(code, bytes)
    },
  }
  const justification = encodeRlp([[], []])
  const whole = encodeRlpList([encodeSigned(payload!, new Uint8Array(65)), justification])
  inEncoding(protocol, 'proposal', whole, 'accessList', () => new Uint8Array(65))
  const other = qbftProtocol.signingContent(qbftProtocol.codes.proposal, signed!)
  expect(other).not.toEqual(proposal.content())
  expect(readClaim('qbft', other)).toEqual(readClaim('qbft', proposal.content()))
})
