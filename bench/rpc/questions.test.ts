import { expect, test } from 'vitest'
import { fullBlockSize, fullRecipients, sparseBlocks } from '../content/contentBlocks.ts'
import { turnLength } from './measureRow.ts'
import { bodiesOf, questionsOf } from './questions.ts'
import { type Content, fullWindow, type Row, rows, strideFor } from './rows.ts'
import { isKept, type RowResult, rpcTable } from './rpcTables.ts'

const content: Content = {
  accounts: 10_000,
  fullBlocks: 300,
  firstBlock: 4,
  hashes: Array.from({ length: 5000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`),
}

const row = (id: string): Row => rows.find((one) => one.id === id)!
const callsOf = (id: string, wanted: number) => questionsOf(row(id), content, wanted).map(({ call }) => call)

test('rows have names of their own', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
})

test.each(rows.map(({ id }) => id))('all questions of %s are different, and the first is always the same', (id) => {
  const texts = bodiesOf(questionsOf(row(id), content, 10_000)).map((body) => body.replace(/"id":\d+/g, ''))
  expect(new Set(texts).size).toBe(texts.length)
  expect(questionsOf(row(id), content, 1).map(({ call }) => call)).toEqual(callsOf(id, 10_000).slice(0, 1))
})

test('there are as many as wanted, where there is that much to ask for', () => {
  const counts = Object.fromEntries(rows.map(({ id }) => [id, callsOf(id, 10_000).length]))
  expect(counts).toMatchObject({ blockNumber: 1, balance: 10_000, call: 10_000, storage: 10_000, estimate: 10_000 })
  expect(counts).toMatchObject({ receipt: 5000, block: 300, fullLogs: 10_000, logs: 10_000, batch: 1000 })
})

test('accounts come from the whole state', () => {
  for (const accounts of [1, 10, 2000, 10_000, 1_000_000]) {
    const stride = strideFor(accounts)
    const some = Math.min(accounts, 1000)
    const numbers = Array.from({ length: some }, (_, i) => (i * stride) % accounts)
    expect(new Set(numbers).size).toBe(some)
    const quarters = new Set(numbers.map((number) => Math.floor((4 * number) / accounts)))
    if (accounts >= 10) expect(quarters.size).toBe(4)
  }
})

test('logs are asked of blocks that are there', () => {
  for (const id of ['fullLogs', 'logs']) {
    const ranges = callsOf(id, 1000).map((call) => call[1] as unknown as { fromBlock: string; toBlock: string })
    const [first, last] = id === 'logs' ? [4, 3 + sparseBlocks] : [4 + sparseBlocks, 3 + sparseBlocks + 300]
    expect(Math.min(...ranges.map(({ fromBlock }) => Number(fromBlock)))).toBe(first)
    expect(Math.max(...ranges.map(({ toBlock }) => Number(toBlock)))).toBe(last)
  }
})

test('wrong answers are seen', () => {
  const [balance] = questionsOf(row('balance'), content, 1)
  expect(balance!.isRight('0x1')).toBe(true)
  expect(balance!.isRight('0x2')).toBe(false)
  const [logs] = questionsOf(row('fullLogs'), content, 1)
  const hits = (fullWindow * fullBlockSize) / fullRecipients
  expect(logs!.isRight(Array.from({ length: hits }))).toBe(true)
  expect(logs!.isRight([])).toBe(false)
  expect(questionsOf(row('receipt'), content, 1)[0]!.isRight(null)).toBe(false)
  expect(questionsOf(row('block'), content, 1)[0]!.isRight(null)).toBe(false)
})

test('turns are longer where answers take long', () => {
  expect(turnLength({ requests: 20_000, seconds: 1 }, 32)).toBe(1)
  expect(turnLength({ requests: 64, seconds: 1 }, 32)).toBe(2)
  expect(turnLength({ requests: 3, seconds: 1 }, 32)).toBe(10)
  expect(turnLength({ requests: 0, seconds: 1 }, 32)).toBe(10)
})

const spread = (median: number) => ({ median, low: median, high: median, count: 1 })
const figures = (perSecond: number, cpu: number) => ({ perSecond: spread(perSecond), cpu: spread(cpu) })

test('an answer that a server kept is marked', () => {
  expect(isKept(figures(1000, 10), figures(100, 100))).toBe(true)
  expect(isKept(figures(150, 70), figures(100, 100))).toBe(false)
  const common = { id: 'call', name: 'eth_call', questions: 10 }
  const results: RowResult[] = [
    { ...common, asking: 'different', figures: { 'quoin-dev': figures(100, 100), anvil: figures(200, 50) } },
    { ...common, asking: 'same', figures: { 'quoin-dev': figures(1000, 10), anvil: figures(200, 50) } },
  ]
  const columns = [
    { key: 'quoin-dev', name: 'Quoin, development' },
    { key: 'anvil', name: 'anvil' },
    { key: 'geth', name: 'geth 1.13.15' },
  ] as const
  expect(rpcTable('Same', 'same', columns, results)).toEqual({
    title: 'Same',
    columns: [
      ...['request', 'Quoin, development', 'CPU µs', 'anvil', 'CPU µs', 'geth 1.13.15', 'CPU µs'],
      ...['Quoin, development to anvil', 'Quoin, development to geth'],
    ],
    rows: [['eth_call', '1,000 kept', '10', '200', '50', '–', '–', '5×', '–']],
  })
  expect(rpcTable('Different', 'different', columns, results).rows[0]![1]).toBe('100')
})
