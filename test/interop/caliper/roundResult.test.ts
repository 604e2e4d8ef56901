import { expect, test } from 'vitest'
import { readResult } from './roundResult.ts'

const printed = `2026.11.20-00:01:35 info  [caliper] [report] \t
+------+------+------+-----------------+-----------------+-----------------+-----------------+------------------+
| Name | Succ | Fail | Send Rate (TPS) | Max Latency (s) | Min Latency (s) | Avg Latency (s) | Throughput (TPS) |
|------|------|------|-----------------|-----------------|-----------------|-----------------|------------------|
| open | 64   | 1    | 21.4            | 49.60           | 6.88            | 28.28           | 1.2              |
+------+------+------+-----------------+-----------------+-----------------+-----------------+------------------+
`

test('the row of a round is read from what Caliper prints', () => {
  expect(readResult(printed, 'open')).toEqual({
    ...{ succeeded: 64, failed: 1, sendRate: 21.4, throughput: 1.2 },
    ...{ maxLatency: 49.6, minLatency: 6.88, avgLatency: 28.28 },
  })
})

test('a run without a report is an error that shows its end', () => {
  expect(() => readResult('Error: no such module', 'open')).toThrow('Caliper made no report: Error: no such module')
})

test('a round of which nothing succeeded has no latencies', () => {
  const text = printed
    .replace('64  ', '0   ')
    .replace('49.60', '-    ')
    .replace('6.88', '-   ')
    .replace('28.28', '-    ')
  expect(readResult(text, 'open')).toMatchObject({ succeeded: 0, failed: 1, maxLatency: Number.NaN })
})
