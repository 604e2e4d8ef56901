import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const rpc = (name: string) => ({ category: 'rpc' as const, name, help: `${name}.` })

test('counters count by their labels', () => {
  const metrics = createMetrics()
  const counter = metrics.counter(rpc('calls_total'), ['way', 'outcome'])
  counter('http', 'ok').add()
  counter('http', 'ok').add(2)
  counter('ws', 'ok').add()
  expect(metrics.families()).toEqual([
    {
      ...rpc('calls_total'),
      type: 'counter',
      labels: ['way', 'outcome'],
      values: [
        [['http', 'ok'], 3],
        [['ws', 'ok'], 1],
      ],
    },
  ])
})

test('times are sorted into buckets, a bound belonging to the one below it', () => {
  const metrics = createMetrics()
  const timer = metrics.timer(rpc('time'), [], [0.1, 1])()
  for (const seconds of [0.05, 0.1, 0.5, 7]) timer.observe(seconds)
  const [family] = metrics.families()
  expect(family!.type).toBe('histogram')
  expect(family!.values).toEqual([[[], { bounds: [0.1, 1], counts: [2, 1, 1], count: 4, sum: 7.65 }]])
})

test('gauges are read when asked, and may have nothing to say', () => {
  const metrics = createMetrics()
  let value: number | undefined = 1
  metrics.gauge(rpc('one'), () => value)
  metrics.gauges(rpc('many'), 'kind', () => [['a', 2]])
  value = 5
  expect(metrics.families().map((family) => family.values)).toEqual([[[[], 5]], [[['a'], 2]]])
  value = undefined
  expect(metrics.families()[0]!.values).toEqual([])
})
