import { expect, test } from 'vitest'
import { formatSpread, spreadOf } from '../spread.ts'
import { performancePage } from './performancePage.ts'
import type { Report } from './report.ts'

const moment = { load: 0.5, kernelWall: 50, kernelCpu: 49 }

const report: Report = {
  bench: 'sync',
  command: 'sync --blocks 10',
  date: '2026-01-02T03:04:05.000Z',
  commit: 'abc1234',
  machine: { cpu: 'CPU', cores: 2, memoryBytes: 8e9, system: 'Linux 6', node: 'v20.1.0' },
  use: { before: moment, after: moment, seconds: 9, othersShare: 0.02 },
  leftOut: [],
  versions: { geth: '1.13.15', Besu: undefined },
  title: 'Sync',
  columns: ['client', 'seconds'],
  rows: [['Quoin', '1.5']],
  result: {},
}

const docs = new Map([
  ['sync', 'Syncs (--blocks N).'],
  ['evm', 'Runs.'],
])

const page = (changes: Partial<Report>) => performancePage([{ ...report, ...changes }], docs)

test('a table stands with its date, commit, machine and command', () => {
  const text = page({})
  expect(text).toContain('| client | seconds |\n| ------ | ------: |\n| Quoin  |     1.5 |')
  expect(text).toContain('2026-01-02 03:04 UTC, commit abc1234, `npm run bench -- sync --blocks 10`')
  expect(text).toContain('Machine: 2 × CPU, 8 GB, Linux 6, Node.js 20.1.0.\nBeside: geth 1.13.15.')
  expect(text).toContain('Syncs. ')
  expect(text).toContain('Not measured for this page: evm.')
  expect(text).not.toContain('was busy')
})

test('a table of another command names it', () => {
  expect(page({ runner: 'interop' })).toContain('`npm run interop -- sync --blocks 10`')
})

test('tables that belong together stand below each other, with one date', () => {
  const text = page({ more: [{ title: 'Again', columns: ['client', 'seconds'], rows: [['Quoin', '2.5']] }] })
  expect(text.match(/\*\*.+\*\*/g)).toEqual(['**Sync**', '**Again**'])
  expect(text).toContain('| Quoin  |     2.5 |')
  expect(text.match(/commit abc1234/g)).toHaveLength(1)
})

test('figures of a busy machine are marked', () => {
  expect(page({ use: { ...report.use, othersShare: 0.3 } })).toContain('**The machine was busy with other work.**')
})

test('peers that are missing are named', () => {
  expect(page({ leftOut: [{ name: 'geth', reason: 'not there\nat all' }] })).toContain('Left out: geth (not there).')
})

test('a table that was not made again stays, in its place', () => {
  const first = performancePage([report, { ...report, bench: 'evm', title: 'Old EVM' }], docs)
  const second = performancePage([{ ...report, title: 'New sync' }], docs, first)
  expect(second.match(/\*\*.+\*\*/g)).toEqual(['**New sync**', '**Old EVM**'])
  expect(second).not.toContain('Not measured')
  expect(performancePage([report], docs, first)).toBe(first)
})

test('runs of a bench with other settings stand below each other', () => {
  const text = performancePage([report, { ...report, title: 'Longer', command: 'sync --blocks 20' }], docs)
  expect(text.match(/^## .+|\*\*.+\*\*/gm)).toEqual(['## sync', '**Sync**', '**Longer**'])
})

test('a spread is half the distance of the quartiles beside the median', () => {
  expect(spreadOf([4, 1, 3, 2, 5])).toEqual({ median: 3, low: 2, high: 4, count: 5 })
  expect(spreadOf([1, 2]).median).toBe(1.5)
  expect(formatSpread(spreadOf([1, 2, 3, 4, 5]))).toBe('±33 %')
  expect(formatSpread(spreadOf([1]))).toBe('')
})
