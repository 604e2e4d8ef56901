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
