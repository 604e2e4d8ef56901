import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import type { Enode } from '../net/enode.ts'
import type { Verdict } from './messages.ts'
import { createPluginRules } from './pluginRules.ts'

const own: Enode = { id: new Uint8Array(64).fill(1), ip: '10.0.0.1', tcpPort: 30303, udpPort: 30303 }
const other: Enode = { id: new Uint8Array(64).fill(2), ip: '10.0.0.2', tcpPort: 30303, udpPort: 30303 }

/** A plugin that answers when it is told to. */
function setUp(hooks: readonly string[]) {
  const clock = createManualClock(1_000_000)
  const logs = createRecordedLogs()
  const asked: { hook: string; values: readonly object[]; answer: (verdicts: readonly Verdict[]) => void }[] = []
  let restarted = () => {}
  const rules = createPluginRules({
    plugin: {
      has: (hook) => hooks.includes(hook),
      ask: (hook, values) => new Promise((answer) => asked.push({ hook, values, answer })),
      onRestart: (listener) => (restarted = listener),
      stop: async () => {},
    },
    ownId: own.id,
    clock,
    log: logs,
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  async function answer(verdict: Verdict) {
    asked.shift()!.answer([verdict])
    await settled()
  }
  return { rules, clock, logs, asked, answer, restart: () => restarted() }
}

const refused: Verdict = { kind: 'refused', reason: 'no' }
const allowed: Verdict = { kind: 'allowed' }

test('a peer is let in until the plugin has answered, and the answer holds for a minute', async () => {
  const { rules, clock, asked, answer } = setUp(['mayConnect'])
  let changes = 0
  rules.peers!.onChange(() => void changes++)
  const allows = () => rules.peers!.allows(other, own)
  expect([allows(), allows(), asked.length]).toEqual([true, true, 1])
  expect(asked[0]!.values).toMatchObject([{ ip: '10.0.0.2', direction: 'inbound' }])
  await answer(refused)
  expect([allows(), changes, asked.length]).toEqual([false, 1, 0])
  clock.run(59_999)
  expect([allows(), asked.length]).toEqual([false, 0])
  clock.run(1)
  expect([allows(), asked.length]).toEqual([false, 1])
  const before = changes
  await answer(allowed)
  expect([allows(), changes]).toEqual([true, before + 1])
})

test('a plugin that fails lets no new peer in, and is asked again when it has been started again', async () => {
  const { rules, asked, answer, restart, logs } = setUp(['mayConnect'])
  const allows = () => rules.peers!.allows(own, other)
  allows()
  expect(asked[0]!.values).toMatchObject([{ direction: 'outbound' }])
  await answer({ kind: 'failed', reason: 'threw' })
  expect([allows(), asked.length]).toEqual([false, 0])
  expect(logs.lines()).toContain('error plugin failed in mayConnect: threw')
  restart()
  expect([allows(), asked.length]).toEqual([false, 1])
  await answer(allowed)
  expect(allows()).toBe(true)
})

test('what a plugin does not export is not asked', () => {
  const { rules, asked } = setUp(['onBlock'])
  expect([rules.screen, rules.peers]).toEqual([undefined, undefined])
  rules.onHead({ added: [] })
  expect(asked).toEqual([])
})
