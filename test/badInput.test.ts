import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methods } from '../src/rpc/methods/all.ts'
import type { Method } from '../src/rpc/protocol/method.ts'
import { dialWs, type RpcReply } from './rpc/devNode.ts'
import { type Nodes, startNodes } from './rpc/nodes.ts'

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

describe.each(withParams.map((method) => [method.name, method] as const))('%s', (name, method) => {
  const ask = method.needs.includes('session') ? overWs : overHttp
  const codes = codesOf(method)

  test.each(Object.entries(wrong))('answers %s with one of its own codes', async (_, value) => {
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
    if (method.exact) expect(many.error?.code).toBe(invalid)
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

test('the connections are those of the beginning', async () => {
  const asked = new Set(methods.map(({ name }) => nodes.of(name).url))
  expect(ports.size).toBe(asked.size)
  expect((await overWs('net_version', [])).result).toBe('2018')
})
