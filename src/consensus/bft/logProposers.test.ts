import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { type Address, toAddress } from '../../primitives/bytes.ts'
import { createProposerLog } from './logProposers.ts'

const [one, other] = [1, 2].map((byte) => toAddress(new Uint8Array(20).fill(byte))) as [Address, Address]
const named = `0x${'01'.repeat(20)}`

function open() {
  const lines: [string, object, string][] = []
  const note = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message])
  const log = { ...createSilentLogs(), info: note('info'), warn: note('warn') }
  const clock = createManualClock(1_000_000)
  return { ...createProposerLog(log, clock), lines, clock }
}

const proposal = { type: 'invalid', kind: 'proposal', author: one, height: 7n, round: 1 } as const

test('says who proposed what is invalid, and what is wrong with it', () => {
  const { invalid, lines } = open()
  invalid({ ...proposal, flaw: { reason: 'no good' } })
  invalid({ ...proposal, author: other, kind: 'roundChange', flaw: { reason: 'nor this' } })
  expect(lines).toEqual([
    ['warn', { proposer: named, number: 7, round: 1, reason: 'no good' }, 'invalid proposal of {proposer}: {reason}'],
    ['warn', expect.objectContaining({ number: 7 }), 'invalid block in a round change of {proposer}: {reason}'],
  ])
})

test('says of a proposal from the future that a clock is wrong', () => {
  const { invalid, lines } = open()
  invalid({ ...proposal, flaw: { reason: 'too far', secondsAhead: 44 } })
  expect(lines).toEqual([
    [
      'warn',
      expect.objectContaining({ proposer: named, seconds: 44 }),
      'proposal of {proposer} is {seconds} s in the future: its clock or ours is wrong',
    ],
  ])
})

test('once a minute for each proposer', () => {
  const { invalid, lines, clock } = open()
  const flaw = { reason: 'no good' }
  invalid({ ...proposal, flaw })
  invalid({ ...proposal, flaw })
  invalid({ ...proposal, author: other, flaw })
  expect(lines).toHaveLength(2)
  clock.run(60_000)
  invalid({ ...proposal, flaw })
  expect(lines).toHaveLength(3)
})

test('tells once when turns are passed over, and once when they are taken again', () => {
  const { turn, lines } = open()
  for (const isTaken of [true, false, false, true, true, false])
    turn({ type: 'turn', author: one, height: 7n, isTaken })
  expect(lines.map(([level, , message]) => [level, message])).toEqual([
    ['info', '{proposer} is silent: its turns are passed over until it proposes'],
    ['info', '{proposer} proposes again'],
    ['info', '{proposer} is silent: its turns are passed over until it proposes'],
  ])
})
