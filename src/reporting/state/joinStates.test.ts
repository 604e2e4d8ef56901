import { expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import type { NodeState, Problem } from '../../rpc/server/networkState.ts'
import { joinStates, type NodeAnswer, type NodeTrouble } from './joinStates.ts'

const addresses = [0, 1, 2, 3].map((i) => `0x${`a${i}`.repeat(20)}`)

const answer = (i: number, change: Partial<NodeState> = {}): NodeAnswer => ({
  name: `node${i}`,
  address: addresses[i],
  state: { ...calmState, address: addresses[i]!, ...change },
})
const without = (i: number, trouble: NodeTrouble): NodeAnswer => ({ ...answer(i), state: undefined, trouble })
const problem = (code: Problem['code'], text: string, about?: string): Problem => ({
  code,
  level: 'warning',
  text,
  advice: '',
  about,
})
const said = (answers: readonly NodeAnswer[]) => joinStates(answers).problems.map(({ text }) => text)

test('all is well', () => {
  const state = joinStates([0, 1, 2, 3].map((i) => answer(i)))
  expect(state).toMatchObject({ status: 'making', level: 'ok', summary: calmState.summary, problems: [] })
  expect(state.nodes[1]).toEqual({ name: 'node1', address: addresses[1], head: 7, status: 'making' })
})

test('nodes that hang, do not run, or are behind', () => {
  const state = joinStates([
    answer(0),
    without(1, { kind: 'silent', seconds: 12 }),
    without(2, { kind: 'down', reason: 'exit code 1: disk full' }),
    answer(3, { head: 2 }),
  ])
  expect(state.problems.map(({ text }) => text)).toEqual([
    'node1 does not answer for 12 s',
    'node2 does not run: exit code 1: disk full',
    'node3 is 5 blocks behind',
  ])
  expect(state).toMatchObject({ status: 'making', level: 'warning' })
  expect(state.nodes.map(({ status }) => status)).toEqual(['making', 'silent', 'down', 'making'])
})

test('a standstill is said once, by the node that sees most, with names in place of addresses', () => {
  const standing = (i: number, missing: readonly number[]) => {
    const names = missing.map((at) => addresses[at])
    const text = `no block for 12 s: waiting for ${names.join(', ')}`
    return answer(i, {
      status: 'standing',
      level: 'error',
      summary: text,
      validators: { count: 4, needed: 3, missing: names as string[] },
      problems: [{ ...problem('noBlocks', text), level: 'error' }],
    })
  }
  const state = joinStates([
    standing(0, [1, 2, 3]),
    standing(1, [2, 3]),
    without(2, { kind: 'silent', seconds: 9 }),
    without(3, { kind: 'silent', seconds: 9 }),
  ])
  expect(state).toMatchObject({ status: 'standing', level: 'error' })
  expect(state.summary).toBe('no block for 12 s: waiting for node2, node3')
  expect(state.problems.map(({ code }) => code)).toEqual(['noBlocks', 'silent', 'silent'])
})

test('what a node says of itself goes before what others say of it, and says why it is absent', () => {
  const about = addresses[3]
  const others = [
    problem('clock', `the clock of ${about} is 44 s ahead: its proposals are refused`, about),
    problem('absent', `validator ${about} takes no part`, about),
  ]
  const own = problem('clock', `the clock of this node (${about}) is 45 s ahead of the blocks that others make`, about)
  expect(
    said([answer(0, { problems: others }), answer(1, { problems: others }), answer(3, { problems: [own] })]),
  ).toEqual(['the clock of node3 is 45 s ahead of the blocks that others make'])
  expect(said([answer(0, { problems: others }), answer(1, { problems: others })])).toEqual([
    `the clock of ${about} is 44 s ahead: its proposals are refused`,
  ])
})

test('what concerns one node has its name', () => {
  const disk = problem('disk', '0 MiB free on the disk of /data', addresses[1])
  const behind = problem('behind', 'this node is syncing: it has block 1 of 7', addresses[1])
  expect(said([answer(0), answer(1, { problems: [disk, behind] })])).toEqual([
    'node1: 0 MiB free on the disk of /data',
    'node1 is syncing: it has block 1 of 7',
  ])
})

test('nobody answers', () => {
  expect(joinStates([without(0, { kind: 'starting' })])).toMatchObject({
    status: 'silent',
    level: 'error',
    summary: 'no node answers',
    nodes: [{ status: 'starting' }],
  })
})
