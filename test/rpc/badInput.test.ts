import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methods } from '../../src/rpc/methods/all.ts'
import type { Method } from '../../src/rpc/protocol/method.ts'
import { type Nodes, startNodes } from './nodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes()
})
afterAll(() => nodes.stop())

const huge = `0x${'f'.repeat(70)}`

/** Values that some parameter may not like. */
const values: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 1e300, -(2 ** 53)],
  ...[
    '',
    ' ',
    '0x',
    '0x0',
    '0x1',
    'zz',
    '0xzz',
    '-1',
    '-0x1',
    '0x123',
    huge,
    `0x${'0'.repeat(100_000)}`,
    'latest',
    'safe',
    'soon',
  ],
  ...[
    `0x${'ab'.repeat(20)}`,
    `0x${'ab'.repeat(32)}`,
    `0x${'ab'.repeat(33)}`,
    '99999999999999999999',
    '\u0000',
    'constructor',
  ],
  ...[
    [],
    [[]],
    [null],
    [{}],
    ['0x1'],
    [huge],
    {},
    { a: 1 },
    { __proto__: null },
    { blockHash: 'x' },
    { blockNumber: {} },
  ],
  ...[{ blockHash: `0x${'ab'.repeat(32)}` }, { fromBlock: 'x' }, { fromBlock: '0x1', toBlock: '0x0' }, { topics: {} }],
  ...[{ topics: [[[]]] }, { address: [5] }, { to: 5 }, { to: '0x1', gas: 'x' }, { value: -1 }, { data: '0x1' }],
  ...[
    { accessList: [{}] },
    { accessList: 5 },
    { gas: '0x7fffffffffffffff' },
    { gas: {} },
    { from: '0x1', nonce: huge },
  ],
]

/** Lists of parameters for a method: too few, too many, and its example with each place spoilt in turn. */
function* spoilt({ params, example }: Method): Generator<readonly unknown[]> {
  yield []
  yield Array(50).fill('x')
  const start = example.length ? example : params.map(() => '0x1')
  for (let place = 0; place < Math.max(params.length, 1); place++)
    for (const value of values)
      yield start.map((usual, i) => (i === place ? value : usual)).concat(place >= start.length ? [value] : [])
}

const overHttp = methods.filter(({ needs, name }) => !needs.includes('session') && !name.startsWith('miner_st'))

describe.each(overHttp.map((one) => [one.name, one] as const))('%s', (name, one) => {
  test('answers wrong parameters with an error of theirs, never of ours', async () => {
    const lists = [...spoilt(one)]
    for (let at = 0; at < lists.length; at += 100) {
      const batch = lists.slice(at, at + 100)
      const body = JSON.stringify(batch.map((params, id) => ({ id, method: name, params })))
      const response = await fetch(nodes.of(name).url, { method: 'POST', body })
      expect(response.status).toBe(200)
      const replies = (await response.json()) as { id: number; result?: unknown; error?: { code: number } }[]
      expect(replies).toHaveLength(batch.length)
      for (const { id, result, error } of replies) {
        const shown = JSON.stringify(batch[id]).slice(0, 200)
        expect(result === undefined || error === undefined, shown).toBe(true)
        expect(error?.code, shown).not.toBe(-32603)
        expect(error?.code, shown).not.toBe(-32601)
        expect(error?.code, shown).not.toBe(name === 'eth_sendTransaction' ? 0 : -32604)
      }
    }
  })
})

test('demands what is required', async () => {
  for (const { name, params } of overHttp)
    if (params.some(({ required }) => required))
      expect((await nodes.of(name).send(name)).error, name).toMatchObject({ code: -32602, message: 'Invalid params' })
})
