import { expect, test } from 'vitest'
import type { ProposalFlaw } from '../../consensus/producing/producer.ts'
import { toAddress } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { judge } from './judge.ts'
import type { NetworkSight } from './sight.ts'

const validators = [1, 2, 3, 4].map((byte) => toAddress(new Uint8Array(20).fill(byte)))
const [own, second, third, fourth] = validators as [
  (typeof validators)[0],
  (typeof validators)[0],
  (typeof validators)[0],
  (typeof validators)[0],
]
const gib = 2 ** 30

const calm: NetworkSight = {
  address: own,
  validators,
  head: 391,
  sinceBlock: 300,
  expected: { period: 1, timeout: 2 },
  needed: 3,
  arrivals: { period: 1.02, lag: 0.3 },
  absent: [],
  proposers: { silent: [], flaws: [] },
  sync: undefined,
  round: undefined,
  connected: [second, third, fourth],
  peers: 3,
  refused: [],
  disk: { folder: '/data', free: 100 * gib },
  forks: [],
}

const judged = (change: Partial<NetworkSight>) => judge({ ...calm, ...change })
const said = (change: Partial<NetworkSight>) =>
  judged(change).problems.map(({ code, level, text }) => `${level} ${code}: ${text}`)

const round = (heard: readonly (typeof own)[]) => ({ height: 392n, round: 1, quorum: 3, heard: () => heard })
const flaw = (proposer: typeof own, secondsAhead: number | undefined): ProposalFlaw => ({
  proposer,
  reason: 'state root differs',
  secondsAhead,
  at: 0,
})

test('nothing is wrong', () => {
  expect(judged({})).toEqual({
    status: 'making',
    level: 'ok',
    summary: 'blocks are made, one every 1 s',
    address: toHex(own),
    head: 391,
    secondsSinceBlock: 0,
    expectedPeriod: 1,
    period: 1.02,
    validators: { count: 4, needed: 3, missing: [] },
    peers: 3,
    problems: [],
  })
  expect(judged({ expected: undefined, sinceBlock: 86_400_000, validators: [] })).toMatchObject({
    status: 'idle',
    level: 'ok',
    summary: 'a block comes with the next transaction',
    validators: undefined,
  })
})

test('without a quorum: since when, how many are needed, who is missing', () => {
  const state = judged({ sinceBlock: 120_000, round: round([own, second]) })
  expect(state).toMatchObject({ status: 'standing', level: 'error', secondsSinceBlock: 120 })
  expect(state.summary).toBe(
    `no block for 2 min: round 1: 2 of 3 needed validators heard, waiting for ${toHex(third)}, ${toHex(fourth)}`,
  )
  expect(state.validators).toEqual({ count: 4, needed: 3, missing: [toHex(third), toHex(fourth)] })
  expect(state.problems).toHaveLength(1)
})

test('a block that is late is a warning until it is an outage, unless a quorum is missing', () => {
  expect(said({ sinceBlock: 3999 })).toEqual([])
  expect(said({ sinceBlock: 4000, round: round(validators) })[0]).toMatch(/^warning noBlocks: no block for 4 s: /)
  expect(said({ sinceBlock: 4000, round: round([own]) })[0]).toMatch(/^error noBlocks: no block for 4 s: /)
  expect(said({ sinceBlock: 10_000, round: round(validators) })[0]).toMatch(/^error noBlocks: no block for 10 s: /)
})

test('blocks that are slow, validators that let their turns pass', () => {
  expect(judged({ arrivals: { period: 1.7, lag: 0 } })).toMatchObject({ status: 'making', level: 'ok' })
  const slow = judged({ arrivals: { period: 1.8, lag: 0 }, proposers: { silent: [third], flaws: [] } })
  expect(slow).toMatchObject({ status: 'slow', level: 'warning', validators: { missing: [toHex(third)] } })
  expect(slow.problems.map(({ code, text, advice }) => [code, text, advice])).toEqual([
    [
      'absent',
      `validator ${toHex(third)} takes no part: it lets its turns pass`,
      'start it, and check that the others reach it; blocks stop when one more is away',
    ],
    ['slow', 'blocks are slow: one every 1.8 s, where one every 1 s is due', expect.any(String)],
  ])
  expect(said({ absent: [own] })).toEqual([
    `warning absent: this node (${toHex(own)}) is a validator, and none of the last blocks is its own`,
  ])
})

test('whose clock is wrong', () => {
  const flaws = (...list: ProposalFlaw[]) => ({ silent: [fourth], flaws: list })
  expect(said({ proposers: flaws(flaw(fourth, 44)) })).toEqual([
    `warning clock: the clock of ${toHex(fourth)} is 44 s ahead: its proposals are refused`,
  ])
  expect(said({ proposers: { silent: [], flaws: [flaw(third, 45), flaw(fourth, 44)] } })).toEqual([
    `warning clock: the clock of this node (${toHex(own)}) is 44 s behind those of the other validators`,
  ])
  expect(said({ arrivals: { period: 1, lag: 45.3 } })).toEqual([
    `warning clock: the clock of this node (${toHex(own)}) is 45 s ahead of the blocks that others make`,
  ])
  expect(said({ arrivals: { period: 1, lag: -7 } })).toEqual([
    `warning clock: the clock of this node (${toHex(own)}) is 7 s behind the blocks that others make`,
  ])
  expect(said({ arrivals: { period: 15, lag: 14 }, expected: { period: 15, timeout: 30 } })).toEqual([])
  expect(said({ validators: [own, second], proposers: { silent: [], flaws: [flaw(second, 44)] } })[0]).toMatch(
    /one of the two is wrong$/,
  )
})

test('a node that is behind, or cannot get on', () => {
  const sync = { startingBlock: 0n, currentBlock: 12n, highestBlock: 5391n }
  expect(judged({ sync })).toMatchObject({ status: 'syncing', level: 'warning' })
  expect(said({ sync })).toEqual(['warning behind: this node is syncing: it has block 12 of 5,391'])
  expect(said({ sync: { ...sync, stuck: 'wrong state root' } })).toEqual([
    'error stuck: this node cannot get past block 12: wrong state root',
  ])
})

test('nodes of another network are the reason why there are no peers', () => {
  const refused = [{ address: second, reason: 'network id 1337, ours is 9999', isStatic: true }]
  const text = `node ${toHex(second)} was refused: network id 1337, ours is 9999`
  expect(said({ refused })).toEqual([`warning otherNetwork: ${text}`])
  expect(said({ refused, peers: 0 })).toEqual([`error otherNetwork: ${text}`])
  const forks = [{ address: second, reason: 'incompatible fork id', isStatic: true }]
  expect(said({ refused: forks })[0]).toMatch(/^warning otherForks: /)
})

test('the disk, forks that no block can follow, proposals that are invalid', () => {
  expect(said({ disk: { folder: '/data', free: 3 * gib } })).toEqual([
    'warning disk: 3072 MiB free on the disk of /data',
  ])
  expect(said({ disk: { folder: '/data', free: 1e6 } })).toEqual(['error disk: 0 MiB free on the disk of /data'])
  expect(said({ forks: [{ text: 'prague begins', advice: 'see', isFatal: true }] })).toEqual([
    'error fork: prague begins',
  ])
  expect(said({ proposers: { silent: [], flaws: [flaw(second, undefined)] } })).toEqual([
    `warning invalidProposals: proposals of ${toHex(second)} are invalid: state root differs`,
  ])
})

test('the worst comes first', () => {
  const state = judged({ disk: { folder: '/data', free: 1e6 }, absent: [third] })
  expect(state.problems.map(({ level }) => level)).toEqual(['error', 'warning'])
  expect(state).toMatchObject({ level: 'error', summary: '0 MiB free on the disk of /data' })
})
