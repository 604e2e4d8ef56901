import { expect, test } from 'vitest'
import type { Spill } from '../../execution/tracing/byteLog.ts'
import { createRequestBudget } from '../../query/requestBudget.ts'
import type { TracesPort } from '../protocol/context.ts'
import { boundedTrace } from './boundedTrace.ts'

const step = {} as never

function setUp() {
  let time = 0
  let open = 0
  const openSpill = (): Spill => {
    open++
    return { append: () => {}, read: () => new Uint8Array(0), close: () => void open-- }
  }
  const traces: TracesPort = {
    openSpill,
    create() {
      throw new TypeError('no file is wanted here')
    },
  }
  const now = () => time
  const budget = createRequestBudget({ gasCap: 0n, time: 60_000 }, now)
  return { ports: { traces, budget }, now, pass: (more: number) => (time += more), open: () => open }
}

test('a trace that takes long is given up, and what it had opened is closed', () => {
  const { ports, now, pass, open } = setUp()
  let steps = 0
  const endless = () =>
    boundedTrace(
      ports,
      (bounds) => {
        bounds.traces.openSpill()
        const { tracer } = bounds.within({ tracer: { onStep: () => void steps++ }, finish: () => undefined })
        for (;;) {
          tracer!.onStep!(step)
          pass(1)
        }
      },
      now,
    )
  expect(endless).toThrow('TIMEOUT')
  expect(steps).toBeGreaterThan(5000)
  expect(steps).toBeLessThan(10_000)
  expect(open()).toBe(0)
  // The calls of a request share its time: nothing is left for another one.
  steps = 0
  expect(endless).toThrow('TIMEOUT')
  expect(steps).toBeLessThan(5000)
})

test('a trace in time is handed on with what it had opened', () => {
  const { ports, now, open } = setUp()
  const seen: string[] = []
  const outcome = boundedTrace(
    ports,
    (bounds) => {
      bounds.traces.openSpill()
      const { tracer, finish } = bounds.within({
        tracer: { watches: [1], onEnter: () => void seen.push('enter'), onStepEnd: () => void seen.push('end') },
        finish: () => 'done',
      })
      tracer!.onEnter!(step)
      tracer!.onStepEnd!(step)
      expect(tracer).toMatchObject({ watches: [1] })
      expect(tracer).not.toHaveProperty('onStep')
      const gas = { gasUsed: 0n, gasSpent: 0n }
      return finish({ status: 1, halt: 'stop', output: new Uint8Array(0), ...gas, logs: [], created: undefined })
    },
    now,
  )
  expect([outcome, seen, open()]).toEqual(['done', ['enter', 'end'], 1])
})
