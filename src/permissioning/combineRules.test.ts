import { describe, expect, test } from 'vitest'
import type { Enode } from '../net/enode.ts'
import { zeroAddress } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'
import { allowBootnodes } from './allowBootnodes.ts'
import { combineNodeRules, combineTxRules } from './combineRules.ts'
import type { NodeRule, Verdict } from './rules.ts'

const node = (n: number): Enode => ({ id: new Uint8Array(64).fill(n), ip: '127.0.0.1', tcpPort: n, udpPort: n })
const [self, bootnode, other] = [node(1), node(2), node(3)]
const ruleOf = (allows: boolean): NodeRule => ({ allows: () => allows, onChange: () => () => {} })

describe('several rules', () => {
  test('must all allow a transaction; the first that does not says how', () => {
    const verdict = (...all: Verdict[]) =>
      combineTxRules(all.map((one) => ({ check: () => one })))?.check({} as Tx, zeroAddress)
    expect(verdict()).toBe(undefined)
    expect(verdict('allowed', 'allowed')).toBe('allowed')
    expect(verdict('allowed', 'refused', 'unclear')).toBe('refused')
    expect(verdict('unclear', 'refused')).toBe('unclear')
  })

  test('must all allow a connection', () => {
    const allows = (...all: boolean[]) => combineNodeRules(all.map(ruleOf)).allows(self, other)
    expect([allows(), allows(true, true), allows(true, false)]).toEqual([true, true, false])
  })

  test('each tell of changes until nobody listens', () => {
    const listeners = new Set<() => void>()
    const onChange = (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const end = combineNodeRules([{ allows: () => true, onChange }]).onChange(() => {})
    expect(listeners.size).toBe(1)
    end()
    expect(listeners.size).toBe(0)
  })
})

describe('bootnodes', () => {
  test('are allowed in both directions while no other peer is connected', () => {
    let peers: readonly Uint8Array[] = []
    const parts = { bootnodes: [bootnode], ownId: self.id, peers: () => peers }
    const rule = allowBootnodes(ruleOf(false), parts)
    expect(rule.allows(self, bootnode)).toBe(true)
    expect(rule.allows(bootnode, self)).toBe(true)
    expect(rule.allows(other, self)).toBe(false)
    peers = [bootnode.id]
    expect(rule.allows(self, bootnode)).toBe(true)
    peers = [bootnode.id, other.id]
    expect(rule.allows(self, bootnode)).toBe(false)
  })
})
