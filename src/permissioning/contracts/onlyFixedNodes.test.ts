import { expect, test } from 'vitest'
import type { Enode } from '../../net/enode.ts'
import type { NodeRule } from '../rules.ts'
import { onlyFixedNodes } from './onlyFixedNodes.ts'

const node = (n: number): Enode => ({
  ...{ id: new Uint8Array(64).fill(n), ip: '10.0.0.1', tcpPort: 30_300 + n, udpPort: 0 },
})
const [own, fixed, stranger] = [node(1), node(2), node(3)]
const all: NodeRule = { allows: () => true, onChange: () => () => {} }
const none: NodeRule = { ...all, allows: () => false }

test('connects with fixed nodes alone until the node has been in sync', () => {
  let inSync = false
  const parts = { fixedNodes: [fixed], ownId: own.id, isInSync: () => inSync }
  const rule = onlyFixedNodes(none, parts)
  expect(rule.allows(own, fixed)).toBe(true)
  expect(rule.allows(fixed, own)).toBe(true)
  expect(rule.allows(own, stranger)).toBe(false)
  expect(rule.allows(stranger, own)).toBe(false)
  expect(rule.allows(own, { ...fixed, tcpPort: 9 })).toBe(false)
  inSync = true
  expect(rule.allows(own, fixed)).toBe(false)
  inSync = false
  expect(rule.allows(own, fixed)).toBe(false)
})

test('without other fixed nodes the rule decides from the start', () => {
  for (const fixedNodes of [[], [own]]) {
    const parts = { fixedNodes, ownId: own.id, isInSync: () => false }
    expect(onlyFixedNodes(none, parts).allows(own, fixed)).toBe(false)
    expect(onlyFixedNodes(all, parts).allows(stranger, own)).toBe(true)
  }
})
