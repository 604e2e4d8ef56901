import { describe, expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import type { Chain } from '../../chain/chain.ts'
import { createLocalKey } from '../../keys/nodeIdentity.ts'
import { type Hash32, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { blankHeader } from '../../types/header.ts'
import { createMachineDriver, type MachineEvent } from './machineDriver.ts'

test('outside its heights a machine hears nothing, and writes nothing', () => {
  const events: string[] = []
  const written: Uint8Array[] = []
  let number = 2n
  let isFull = true
  const driver = createMachineDriver<{ kind: string }, { type: 'word' }>({
    key: createLocalKey(new Uint8Array(32).fill(1)),
    chain: {
      head: () => ({ header: { ...blankHeader, number }, hash: zeroHash }),
      onHead: () => () => {},
    } as unknown as Chain,
    consensus: { hash: () => zeroHash },
    clock: { now: () => 0, after: () => () => {} },
    network: {
      send() {},
      broadcastBlock() {},
      probe() {},
      blame() {},
      isCatchingUp: () => false,
    },
    log: createSilentLogs(),
    record: {
      read: () => undefined,
      write(bytes) {
        if (isFull) throw new Error('disk full')
        written.push(bytes)
      },
    },
    heights: { from: 1n, to: 4n },
    createMachine: () => ({
      handle({ type }: MachineEvent<{ kind: string }>) {
        events.push(type)
        return type === 'head' ? [{ type: 'persist', record: Uint8Array.of(1) }] : [{ type: 'word' }]
      },
    }),
    perform() {},
  })
  driver.start()
  number = 3n
  isFull = false
  driver.onLink(zeroAddress)
  driver.receive(0, new Uint8Array(0), zeroAddress)
  expect([events, written]).toEqual([['head'], []])
})

test('on heads of the time before a restore nothing is signed, and it is said what is waited for', () => {
  const events: string[] = []
  const lines: string[] = []
  let timestamp = 1000n
  let onHead: () => void = () => {}
  const silent = createSilentLogs()
  const driver = createMachineDriver<{ kind: string }, { type: 'word' }>({
    key: createLocalKey(new Uint8Array(32).fill(1)),
    chain: {
      head: () => ({ header: { ...blankHeader, number: 5n, timestamp }, hash: zeroHash }),
      onHead(listener: () => void) {
        onHead = listener
        return () => {}
      },
    } as unknown as Chain,
    consensus: { hash: () => zeroHash },
    clock: { now: () => 0, after: () => () => {} },
    network: { send() {}, broadcastBlock() {}, probe() {}, blame() {}, isCatchingUp: () => false },
    log: { ...silent, warn: (_, line) => void lines.push(line) },
    record: { read: () => undefined, write() {} },
    heights: { from: 1n, to: undefined },
    signsAfter: 2000n,
    createMachine: () => ({
      handle({ type }: MachineEvent<{ kind: string }>) {
        events.push(type)
        return []
      },
    }),
    perform() {},
  })
  driver.start()
  driver.receive(0, new Uint8Array(0), zeroAddress)
  timestamp = 2000n
  onHead()
  expect(events).toEqual([])
  expect(lines).toEqual([expect.stringContaining('quoin restore --may-sign')])
  timestamp = 2001n
  onHead()
  driver.receive(0, new Uint8Array(0), zeroAddress)
  expect(events).toEqual(['head', 'message'])
})

/** A machine that notes what it handles, and finds each message long to handle. */
function createSlowRun() {
  const handled: string[] = []
  const listeners = new Set<() => void>()
  const waiting: (() => void)[] = []
  let head = 1
  const driver = createMachineDriver<{ kind: string }, { type: 'word' }, number>({
    key: createLocalKey(new Uint8Array(32).fill(1)),
    chain: {
      head: () => ({ header: { ...blankHeader, number: BigInt(head) }, hash: new Uint8Array(32).fill(head) as Hash32 }),
      onHead(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    } as unknown as Chain,
    consensus: { hash: () => zeroHash },
    clock: { now: () => 0, after: () => () => {} },
    network: { send() {}, broadcastBlock() {}, probe() {}, blame() {}, isCatchingUp: () => false },
    log: createSilentLogs(),
    record: { read: () => undefined, write() {} },
    heights: { from: 1n, to: 9n },
    createMachine: () => ({
      handle(event) {
        handled.push(event.type === 'message' ? `message ${event.code}` : `head ${head}`)
        return []
      },
      foresee: (event) => (event.type === 'message' && event.code > 0 ? event.code : undefined),
    }),
    workAhead: (_, done) => void waiting.push(done),
    perform() {},
  })
  return {
    handled,
    driver,
    receive: (code: number) => driver.receive(code, new Uint8Array(0), zeroAddress),
    finishWork: () => waiting.shift()!(),
    works: () => waiting.length,
    setHead(number: number) {
      head = number
      for (const listener of listeners) listener()
    },
  }
}

describe('work ahead', () => {
  test('events wait behind the one that it is done for, in order', () => {
    const run = createSlowRun()
    run.driver.start()
    for (const code of [1, 0, 2]) run.receive(code)
    expect([run.handled, run.works()]).toEqual([['head 1'], 1])
    run.finishWork()
    expect([run.handled, run.works()]).toEqual([['head 1', 'message 1', 'message 0'], 1])
    run.finishWork()
    expect(run.handled).toEqual(['head 1', 'message 1', 'message 0', 'message 2'])
  })

  test('a head that comes meanwhile is heard first', () => {
    const run = createSlowRun()
    run.driver.start()
    run.receive(1)
    run.receive(0)
    run.setHead(2)
    run.finishWork()
    expect([run.handled, run.works()]).toEqual([['head 1', 'message 0', 'head 2'], 1])
    run.finishWork()
    expect(run.handled.at(-1)).toBe('message 1')
  })

  test('an event is dropped when a head outside of the heights comes meanwhile', () => {
    const run = createSlowRun()
    run.driver.start()
    run.receive(1)
    run.setHead(8)
    run.finishWork()
    expect([run.handled, run.works()]).toEqual([['head 1'], 0])
  })

  test('a machine that was stopped meanwhile hears nothing more; the next one does', () => {
    const run = createSlowRun()
    run.driver.start()
    run.receive(1)
    run.driver.stop()
    run.driver.start()
    expect(run.handled).toEqual(['head 1'])
    run.finishWork()
    expect(run.handled).toEqual(['head 1', 'head 1'])
    run.receive(0)
    expect(run.handled.at(-1)).toBe('message 0')
  })
})
