import { expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createMessageRules } from './messageRules.ts'
import type { RoundChangeMessage } from './messages.ts'
import { createRoundChanges } from './roundChanges.ts'

const addresses = authorities(7).map(({ address }) => address)
const wants = (who: number, round: number): RoundChangeMessage => ({
  kind: 'roundChange',
  signed: {
    payload: { height: 1n, round, claim: undefined },
    author: addresses[who]!,
    bytes: Uint8Array.of(who, round),
  },
  block: undefined,
  certificate: undefined,
})

function open(validators: number) {
  const some = addresses.slice(0, validators)
  const options = { protocol: qbftProtocol, height: 1n, validators: some, lastProposer: zeroAddress }
  return createRoundChanges(createMessageRules(options))
}

test('a quorum is of different validators who want the same round', () => {
  const changes = open(4)
  expect(changes.add(wants(0, 1))).toBe(true)
  expect(changes.add(wants(0, 1))).toBe(false)
  changes.add(wants(1, 1))
  changes.add(wants(2, 2))
  expect(changes.quorumFor(1)).toBeUndefined()
  changes.add(wants(3, 1))
  expect(changes.quorumFor(1)).toHaveLength(3)
})

test('who has gone on does not come back', () => {
  const changes = open(4)
  changes.add(wants(0, 3))
  expect(changes.add(wants(0, 2))).toBe(false)
})

test('one more than may be faulty are followed, as far as one of them surely is', () => {
  const seven = open(7)
  for (const [who, round] of [9, 8].entries()) seven.add(wants(who, round))
  expect(seven.roundToCatchUp(0)).toBeUndefined()
  seven.add(wants(2, 4))
  expect(seven.roundToCatchUp(0)).toBe(4)
  seven.add(wants(3, 6))
  expect(seven.roundToCatchUp(0)).toBe(6)
  expect(seven.roundToCatchUp(6)).toBeUndefined()
})

test('everyone is followed where nobody may be faulty', () => {
  const three = open(3)
  expect(three.roundToCatchUp(0)).toBeUndefined()
  three.add(wants(1, 5))
  expect(three.roundToCatchUp(0)).toBe(5)
  expect(three.roundToCatchUp(5)).toBeUndefined()
})
