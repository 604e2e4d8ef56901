import { describe, expect, test } from 'vitest'
import { cliqueBlockToSign, packetsToSign, wordsToSign } from '../../test/support/signedContents.ts'
import { ibft2Protocol } from '../consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../consensus/qbft/qbftProtocol.ts'
import type { ToSign } from '../keys/nodeIdentity.ts'
import { createKeyRecord, decide, type KeyRecord } from './decide.ts'
import { readClaim } from './readClaim.ts'
import { decodeKeyRecord, encodeKeyRecord } from './recordCodec.ts'

/** A record that goes through its form on disk after each change. */
function createMemory(closed = 0n) {
  let record: KeyRecord = createKeyRecord(closed)
  return {
    record: () => record,
    sign({ kind, content }: ToSign): void {
      record = decodeKeyRecord(encodeKeyRecord(decide(record, readClaim(kind, content()))))!
    },
  }
}

describe.each([ibft2Protocol, qbftProtocol])('$name', (protocol) => {
  const words = (height: bigint, round: number, mark = 0) => wordsToSign(protocol, height, round, mark)

  test('a round is signed as it goes, and again unchanged', () => {
    const { sign } = createMemory()
    const { proposal, prepare, seal, commit } = words(5n, 0)
    for (const what of [proposal, prepare, seal, commit, proposal, prepare, seal, commit]) sign(what)
    const next = words(5n, 1)
    for (const what of [next.roundChangeFrom(0), next.prepare, next.seal, next.commit]) sign(what)
    sign(words(6n, 0).prepare)
  })

  test.each(['proposal', 'prepare', 'seal', 'commit'] as const)('another %s in the same round is refused', (word) => {
    const { sign, record } = createMemory()
    sign(words(5n, 2)[word])
    const before = record()
    expect(() => sign(words(5n, 2, 1)[word])).toThrow('height 5, round 2: another')
    expect(record()).toEqual(before)
    sign(words(5n, 2)[word])
    sign(words(5n, 3, 1)[word])
  })

  test('who has proposed or prepared a block does not commit to another', () => {
    const { sign } = createMemory()
    sign(words(5n, 0).proposal)
    expect(() => sign(words(5n, 0, 1).prepare)).toThrow('another vote')
    expect(() => sign(words(5n, 0, 1).commit)).toThrow('another vote')
  })

  test('a second round change is refused if it says something else', () => {
    const { sign } = createMemory()
    sign(words(5n, 2).roundChangeFrom(1))
    expect(() => sign(words(5n, 2).roundChange)).toThrow('another round change')
    expect(() => sign(words(5n, 2).roundChangeFrom(0))).toThrow('another round change')
  })

  test('earlier rounds and heights are over', () => {
    const { sign } = createMemory()
    sign(words(5n, 2).roundChange)
    expect(() => sign(words(5n, 1).prepare)).toThrow('height 5, round 2 is signed already')
    expect(() => sign(words(4n, 9).seal)).toThrow('height 5, round 2 is signed already')
  })

  test('a block that was committed to is not forgotten in a later round', () => {
    for (const word of ['seal', 'commit'] as const) {
      const { sign } = createMemory()
      sign(words(5n, 1)[word])
      expect(() => sign(words(5n, 2).roundChange)).toThrow('leaves out the block that was committed to in round 1')
      expect(() => sign(words(5n, 2).roundChangeFrom(0))).toThrow('leaves out')
      sign(words(5n, 2).roundChangeFrom(1))
      // Also after a round in which nothing was committed to.
      expect(() => sign(words(5n, 3).roundChange)).toThrow('leaves out')
      sign(words(6n, 1).roundChange)
    }
  })

  test('nothing is signed up to the height that a record begins with', () => {
    const { sign } = createMemory(5n)
    expect(() => sign(words(5n, 0).prepare)).toThrow('nothing is signed up to height 5')
    sign(words(6n, 0).prepare)
  })
})

describe('Clique', () => {
  test('two blocks on one parent are refused, of whatever height', () => {
    const { sign } = createMemory()
    sign(cliqueBlockToSign(5n, 1))
    sign(cliqueBlockToSign(5n, 1))
    expect(() => sign(cliqueBlockToSign(5n, 1, 1))).toThrow('is signed already on 0x0101')
    // After a fork, on another parent.
    sign(cliqueBlockToSign(5n, 2))
    sign(cliqueBlockToSign(4n, 3))
  })

  test('parents that are forgotten are closed', () => {
    const clique = Array.from({ length: 256 }, (_, i) => ({ number: BigInt(266 - i), parent: `0x${i}`, hash: '0x' }))
    const before = { ...createKeyRecord(0n), clique }
    const { kind, content } = cliqueBlockToSign(267n, 1)
    const after = decide(before, readClaim(kind, content()))
    expect([after.closed, after.clique.length]).toEqual([11n, 256])
    const late = cliqueBlockToSign(11n, 2)
    expect(() => decide(after, readClaim(late.kind, late.content()))).toThrow('nothing is signed up to height 11')
  })
})

test('packets and records leave no trace', () => {
  const { sign, record } = createMemory()
  for (const what of packetsToSign()) sign(what)
  expect(record()).toEqual(createKeyRecord(0n))
})

test('a record of which a bit has changed is not read', () => {
  const bytes = encodeKeyRecord(createKeyRecord(7n))
  expect(decodeKeyRecord(bytes)).toEqual(createKeyRecord(7n))
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.slice()
    changed[i]! ^= 1
    expect(decodeKeyRecord(changed)).toBeUndefined()
  }
})
