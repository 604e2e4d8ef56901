import { describe, expect, test } from 'vitest'
import type { HashedHeader } from '../../chain/view.ts'
import { type Address, type Hash32, toAddress } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import { blankHeader, headerHash } from '../../types/header.ts'
import {
  type CliqueBlockPlan,
  type CliqueEffect,
  type CliqueMachineParts,
  createCliqueMachine,
} from './cliqueMachine.ts'

const account = (n: number): Address => toAddress(new Uint8Array(20).fill(n))
const three = [1, 2, 3].map(account)
/** In turn at heights that three divides. */
const self = three[0]!

const sealed = (header: HashedHeader['header']): HashedHeader => ({ header, hash: headerHash(header) })
const headAt = (number: bigint, timestamp = 100n, parentHash: Hash32 = blankHeader.parentHash) =>
  sealed({ ...blankHeader, number, timestamp, parentHash })

const blockOf = ({ parent, timestamp, difficulty }: CliqueBlockPlan): Block => ({
  header: {
    ...blankHeader,
    parentHash: parent.hash,
    number: parent.header.number + 1n,
    timestamp,
    difficulty,
    extraData: new Uint8Array(97),
  },
  transactions: [],
  ommers: [],
  withdrawals: undefined,
})

function start(changes: Partial<CliqueMachineParts> = {}) {
  const plans: CliqueBlockPlan[] = []
  const machine = createCliqueMachine({
    address: self,
    periodAfter: () => 5,
    build(plan) {
      plans.push(plan)
      return blockOf(plan)
    },
    signersAfter: () => three,
    mustWait: () => false,
    random: () => 0.5,
    restored: undefined,
    ...changes,
  })
  return {
    plans,
    head: (head: HashedHeader, now: number) => machine.handle({ type: 'head', head }, now),
    wake: (now: number) => machine.handle({ type: 'timer', timer: { kind: 'block' } }, now),
  }
}

const timesOf = (effects: readonly CliqueEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'timer' && 'at' in effect.due ? [effect.due.at] : []))
const typesOf = (effects: readonly CliqueEffect[]) => effects.map(({ type }) => type)
const importOf = (effects: readonly CliqueEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'import' ? [effect.block] : []))[0]

describe('a signer', () => {
  test('in turn waits for the second that is a period after the parent, and signs', () => {
    const { plans, head, wake } = start()
    expect(head(headAt(2n), 101_234)).toEqual([{ type: 'timer', timer: { kind: 'block' }, due: { at: 105_000 } }])
    const effects = wake(105_000)
    expect(typesOf(effects)).toEqual(['persist', 'import', 'timer'])
    expect(plans).toMatchObject([{ timestamp: 105n, difficulty: 2n, signers: three }])
  })

  test('that is late takes the second that it is', () => {
    const { plans, head, wake } = start()
    expect(timesOf(head(headAt(2n), 230_999))).toEqual([230_999])
    wake(230_999)
    expect(plans[0]!.timestamp).toBe(230n)
  })

  test.each([
    [0, 105_001],
    [0.5, 105_626],
    [0.9999, 106_250],
  ])('out of turn waits by chance, %s of the most', (random, at) => {
    const { plans, head, wake } = start({ random: () => random })
    expect(timesOf(head(headAt(3n), 100_000))).toEqual([at])
    wake(at)
    expect(plans).toMatchObject([{ timestamp: 105n, difficulty: 1n }])
  })

  test('that signed recently, or is none, does nothing until the head changes', () => {
    const recent = start({ mustWait: ({ header }) => header.number === 2n })
    expect(recent.head(headAt(2n), 100_000)).toEqual([])
    expect(recent.wake(105_000)).toEqual([])
    expect(timesOf(recent.head(headAt(3n), 100_000))).toHaveLength(1)
    const stranger = start({ address: account(9) })
    expect(stranger.head(headAt(2n), 100_000)).toEqual([])
  })

  test('without anything to put into a block looks again, with the time of then', () => {
    let isEmpty = true
    const plans: CliqueBlockPlan[] = []
    const { head, wake } = start({
      build(plan) {
        plans.push(plan)
        return isEmpty ? undefined : blockOf(plan)
      },
    })
    head(headAt(2n), 100_000)
    expect(timesOf(wake(105_000))).toEqual([106_000])
    expect(timesOf(wake(106_000))).toEqual([107_000])
    isEmpty = false
    expect(typesOf(wake(107_000))).toContain('import')
    expect(plans.map(({ timestamp }) => timestamp)).toEqual([105n, 106n, 107n])
  })
})

describe("another's block of the same height", () => {
  const parent = headAt(2n)
  const rival = headAt(3n, 105n, parent.hash)

  test('does not stop who is in turn', () => {
    const { plans, head, wake } = start()
    head(parent, 100_000)
    expect(timesOf(head(rival, 104_900))).toEqual([105_000])
    expect(typesOf(wake(105_000))).toContain('import')
    expect(plans[0]!.parent).toBe(parent)
  })

  test('is where who was in turn goes on, once it has signed itself', () => {
    const { plans, head, wake } = start()
    head(parent, 100_000)
    wake(105_000)
    expect(timesOf(head(rival, 105_001))).toEqual([110_626])
    wake(110_626)
    expect(plans.map((plan) => plan.parent)).toEqual([parent, rival])
  })

  test('is where who has nothing to sign goes on', () => {
    const { head, wake } = start({ build: () => undefined })
    head(parent, 100_000)
    head(rival, 104_900)
    expect(timesOf(wake(105_000))).toEqual([110_626])
  })

  test('stops who is out of turn, and a higher one stops all', () => {
    const { plans, head, wake } = start()
    const other = headAt(3n)
    head(other, 100_000)
    expect(timesOf(head(headAt(4n, 105n, other.hash), 105_100))).toEqual([110_626])
    wake(110_626)
    expect(plans[0]!.parent.header.number).toBe(4n)
    head(parent, 110_626)
    head(headAt(4n, 105n, rival.hash), 110_626)
    wake(111_500)
    expect(plans.map((plan) => plan.parent.header.number)).toEqual([4n, 4n])
  })
})

describe('after a restart', () => {
  const parent = headAt(2n)
  function signOnce() {
    const { head, wake } = start()
    head(parent, 100_000)
    const effects = wake(105_000)
    return { record: recordOf(effects), block: importOf(effects) }
  }
  function recordOf([persist]: readonly CliqueEffect[]): Uint8Array {
    if (persist?.type !== 'persist') throw new Error('nothing was persisted first')
    return persist.record
  }

  test('the block that was signed is offered again, and no other on that parent', () => {
    const { record, block } = signOnce()
    const { plans, head, wake } = start({ restored: record })
    const effects = head(parent, 200_000)
    expect(typesOf(effects)).toEqual(['import', 'timer'])
    expect(importOf(effects)).toEqual(block)
    expect(importOf(wake(201_000))).toEqual(block)
    expect(plans).toEqual([])
  })

  test('other parents are free', () => {
    const { plans, head, wake } = start({ restored: signOnce().record })
    const other = headAt(2n, 101n)
    head(other, 200_000)
    expect(typesOf(wake(200_000))).toEqual(['persist', 'import', 'timer'])
    expect(plans).toMatchObject([{ parent: other }])
  })

  /** A machine that has signed on the parent and then on so many others. */
  function signedSince(others: number) {
    let { record } = signOnce()
    for (let i = 1; i <= others; i++) {
      const { head, wake } = start({ restored: record })
      head(headAt(2n, 100n + BigInt(i)), 200_000)
      record = recordOf(wake(200_000))
    }
    return start({ restored: record })
  }

  test('a block that was signed before the last one is offered again too', () => {
    const { plans, head } = signedSince(2)
    expect(importOf(head(parent, 300_000))).toEqual(signOnce().block)
    expect(plans).toEqual([])
  })

  test('a parent that was signed on long ago is not signed on again', () => {
    const { plans, head } = signedSince(5)
    expect(head(parent, 300_000)).toEqual([])
    expect(plans).toEqual([])
  })
})
