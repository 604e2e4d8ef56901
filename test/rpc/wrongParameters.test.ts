import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methods } from '../../src/rpc/methods/all.ts'
import type { Method } from '../../src/rpc/protocol/method.ts'
import { dialWs, type RpcReply } from '../support/devNode.ts'
import { type Nodes, startNodes } from '../support/engineNodes.ts'
import { shareOf } from '../support/wholeRun.ts'

let nodes: Nodes
/** One connection for the methods of each node that has subscriptions. */
const sockets = new Map<string, ReturnType<typeof dialWs>>()
/** One connection for all requests; each that the agent had to open leaves its port here. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const ports = new Set<number | undefined>()

beforeAll(async () => {
  nodes = await startNodes()
})
afterAll(async () => {
  agent.destroy()
  for (const socket of sockets.values()) (await socket).close()
  await nodes.stop()
})

function post(body: string, url = nodes.dev.url): Promise<RpcReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, async (response) => {
      ports.add(response.socket.localPort)
      resolve(JSON.parse(await text(response)) as RpcReply)
    })
    sent.on('error', reject).end(body)
  })
}

type Ask = (method: string, params: readonly unknown[]) => Promise<RpcReply>
const overWs: Ask = async (method, params) => {
  const { wsUrl } = nodes.of(method)
  const socket = sockets.get(wsUrl) ?? dialWs(wsUrl)
  sockets.set(wsUrl, socket)
  return (await socket).send(method, params)
}
const overHttp: Ask = (method, params) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), nodes.of(method).url)

const address = `0x${'ab'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`
const tooLong = `0x${'ab'.repeat(100_000)}`
const invalid = -32602

/** What stands in the place of each parameter in turn. */
const wrong = {
  'a number': -1.5,
  'a huge number': 1e300,
  'a huge quantity': `0x${'f'.repeat(65)}`,
  'a flag': true,
  'no hexadecimal': '0xzz',
  'a text': 'constructor',
  'a long text': tooLong,
  'a list': [[[]]],
  'a list of rubbish': [null, 1, {}],
  'an object': { nonsense: 1 },
  'an unknown hash': hash,
} as const

/** Codes that a method may answer with: the parameters', and those that its documentation lists. */
function codesOf({ errors }: Method): Set<number> {
  return new Set([invalid, ...errors.map(([code]) => code)])
}

const withParams = methods.filter(({ params }) => params.length > 0)

describe.each(withParams.map((method, i) => [method.name, method, i] as const))('%s', (name, method, index) => {
  const ask = method.needs.includes('session') ? overWs : overHttp
  const codes = codesOf(method)

  test.each(shareOf(Object.entries(wrong), index, 3))('answers %s with one of its own codes', async (_, value) => {
    for (let place = 0; place < method.params.length; place++) {
      const usual = method.params.map((_, i) => method.example[i] ?? null)
      const { result, error } = await ask(name, usual.with(place, value))
      if (error) expect(codes, `${place}: ${error.code} ${error.message}`).toContain(error.code)
      else expect(result, String(place)).toBeDefined()
    }
  })

  test('takes no parameters for missing, and many for too many or as many as it needs', async () => {
    const { error } = await ask(name, [])
    if (method.params.some(({ required }) => required)) expect(codes).toContain(error?.code)
    const many = await ask(name, [...method.example, ...Array(1000).fill(tooLong.slice(0, 50))])
    if (method.fixedCount) expect(many.error?.code).toBe(invalid)
    else if (many.error) expect(codes).toContain(many.error.code)
  })
})

const far = '0xffffffff'
const unknown = -32000
const nothing = null

/** Blocks that do not exist, and numbers that nothing has: the code of the error, or the result. */
const cases: readonly [method: string, params: readonly unknown[], answer: unknown][] = [
  ['eth_getBalance', [address, far], unknown],
  ['eth_getBalance', [address, hash], unknown],
  ['eth_getBalance', [address, { blockHash: hash }], unknown],
  ['eth_getBalance', [address, 'final'], invalid],
  ['eth_getBalance', [address, `0x${'f'.repeat(17)}`], invalid],
  ['eth_getBalance', [address, -1], invalid],
  ['eth_getBalance', [`${address}00`, 'latest'], invalid],
  ['eth_getCode', [address, far], unknown],
  ['eth_getStorageAt', [address, '0x0', far], unknown],
  ['eth_getStorageAt', [address, `0x${'f'.repeat(65)}`, 'latest'], invalid],
  ['eth_getTransactionCount', [address, far], unknown],
  ['eth_getProof', [address, [], far], unknown],
  ['eth_call', [{ to: address }, far], unknown],
  ['eth_call', [{ to: address, value: `0x${'f'.repeat(65)}` }, 'latest'], invalid],
  ['eth_call', [{ to: address, gas: '0x1ffffffffffffffffffff' }, 'latest'], invalid],
  ['eth_estimateGas', [{ to: address, data: '0xabc' }], invalid],
  ['eth_getBlockByNumber', [far, true], nothing],
  ['eth_getBlockByNumber', ['0x-1', true], invalid],
  ['eth_getBlockByHash', [hash, true], nothing],
  ['eth_getBlockByHash', [`${hash}00`, true], invalid],
  ['eth_getBlockReceipts', [far], unknown],
  ['eth_getBlockTransactionCountByNumber', [far], nothing],
  ['eth_getTransactionByHash', [hash], nothing],
  ['eth_getTransactionByHash', [hash.slice(0, -1)], invalid],
  ['eth_getTransactionByBlockNumberAndIndex', [far, '0x0'], nothing],
  ['eth_getTransactionByBlockNumberAndIndex', ['latest', `0x${'f'.repeat(40)}`], invalid],
  ['eth_getTransactionReceipt', [hash], nothing],
  ['eth_getUncleByBlockHashAndIndex', [hash, '0x0'], nothing],
  ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0xfg' }], invalid],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }], []],
  ['eth_getLogs', [{ blockHash: hash, fromBlock: '0x1' }], invalid],
  ['eth_getFilterChanges', [`0x${'f'.repeat(32)}`], unknown],
  ['eth_feeHistory', ['0x1', far, []], invalid],
  ['eth_feeHistory', ['0x401', 'latest', []], invalid],
  ['eth_sendRawTransaction', ['0x'], invalid],
  ['eth_sendRawTransaction', [tooLong], invalid],
  ['eth_sendRawTransaction', [tooLong, tooLong], invalid],
  ['web3_sha3', ['0xabc'], invalid],
]

test.each(cases)('%s %j', async (method, params, answer) => {
  for (const ask of [overHttp, overWs]) {
    const { result, error } = await ask(method, params)
    expect(error?.code ?? result).toEqual(answer)
    if (error) expect(error.message).toMatch(/\S/)
  }
})

const huge = `0x${'f'.repeat(70)}`

/** Values that some parameter may refuse, for whole batches. */
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
function* spoilt({ params, example }: Method, index: number): Generator<readonly unknown[]> {
  yield []
  yield Array(50).fill('x')
  const start = example.length ? example : params.map(() => '0x1')
  for (let place = 0; place < Math.max(params.length, 1); place++)
    for (const value of shareOf(values, index, 4))
      yield start.map((usual, i) => (i === place ? value : usual)).concat(place >= start.length ? [value] : [])
}

const inBatches = methods.filter(({ needs, name }) => !needs.includes('session') && !name.startsWith('miner_st'))

describe.each(inBatches.map((one, i) => [one.name, one, i] as const))('%s in batches', (name, one, index) => {
  test('answers wrong parameters with an error of theirs, never of ours', async () => {
    const lists = [...spoilt(one, index)]
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
  for (const { name, params } of inBatches)
    if (params.some(({ required }) => required))
      expect((await nodes.of(name).send(name)).error, name).toMatchObject({ code: -32602, message: 'Invalid params' })
})

test('the connections are those of the beginning', async () => {
  const asked = new Set(methods.map(({ name }) => nodes.of(name).url))
  expect(ports.size).toBe(asked.size)
  expect((await overWs('net_version', [])).result).toBe('2018')
})
