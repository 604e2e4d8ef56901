import { describe, expect, test } from 'vitest'
import { integer } from '../codecs/integer.ts'
import { json, text } from '../codecs/text.ts'
import type { RpcContext, RpcPorts } from './context.ts'
import { createDispatcher } from './dispatch.ts'
import { httpTransport, type Reply, wsTransport } from './dispatcher.ts'
import { RpcError } from './fault.ts'
import { method, param } from './method.ts'

const ran: string[] = []
const echo = method({
  name: 'eth_echo',
  doc: '',
  needs: [],
  params: [param('value', text)],
  result: text,
  handler(_, [value]) {
    ran.push(value)
    return value
  },
})
const later = method({
  name: 'eth_later',
  doc: '',
  needs: [],
  params: [param('n', integer)],
  result: integer,
  async handler(_, [n]) {
    await null
    if (n < 0) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return n
  },
})
const waiting: (() => void)[] = []
const gathering = method({
  name: 'eth_gather',
  doc: '',
  needs: [],
  params: [param('n', integer)],
  together: true,
  result: integer,
  // Nobody is answered before two have asked.
  handler: (_, [n]) =>
    new Promise<number>((done) => {
      waiting.push(() => done(n))
      if (waiting.length === 2) for (const answer of waiting.splice(0).reverse()) answer()
    }),
})
const broken = method({
  name: 'eth_broken',
  doc: '',
  needs: [],
  params: [],
  result: json({}),
  handler() {
    throw new TypeError('oops')
  },
})
const refused = method({
  name: 'net_refused',
  doc: '',
  needs: [],
  params: [],
  result: json({}),
  handler() {
    throw new RpcError({ code: 'INVALID_REQUEST' })
  },
})
const elsewhere = method({ name: 'debug_x', doc: '', needs: [], params: [], result: text, handler: () => '' })
const needy = method({ name: 'eth_needy', doc: '', needs: ['session'], params: [], result: text, handler: () => '' })
const always = method({ name: 'rpc_a', doc: '', needs: [], params: [], result: text, always: true, handler: () => 'a' })

const errors: unknown[] = []
const base = {
  methods: [echo, later, gathering, broken, refused, elsewhere, needy, always],
  knownNames: new Set(['qbft_known']),
  namespaces: ['ETH', 'NET'],
  faults: () => undefined,
  onInternalError: (error: unknown) => errors.push(error),
}
const http = createDispatcher({ ...base, transport: httpTransport(3) })
const ws = createDispatcher({ ...base, transport: wsTransport(4) })

async function ask(request: string, dispatcher = http, ports: RpcPorts = {}): Promise<[number, string]> {
  const { status, body }: Reply = await dispatcher.dispatch(request, ports)
  return [status, typeof body === 'string' ? body : [...body].join('')]
}

const error = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
const result = (id: string, value: string) => `{"jsonrpc":"2.0","id":${id},"result":${value}}`
const parseError = error('null', -32700, 'Parse error')
const invalid = (id = 'null') => error(id, -32600, 'Invalid Request')
const call = (id: string, rest = '') => `{"id":${id},"method":"eth_echo","params":["x"]${rest}}`

describe('a single call over HTTP', () => {
  test.each([
    [call('1'), 200, result('1', '"x"')],
    [call('1.0'), 200, result('1.0', '"x"')],
    [call('1e3'), 200, result('1000.0', '"x"')],
    [call('123456789012345678901234567890'), 200, result('123456789012345678901234567890', '"x"')],
    [call('"a\\u00e9"'), 200, result('"aé"', '"x"')],
    [call('null'), 200, result('null', '"x"')],
    [call('-5', ',"jsonrpc":null,"extra":1'), 200, result('-5', '"x"')],
    [`\uFEFF${call('1')}`, 200, result('1', '"x"')],
    [`/* c */ ${call('1')}`, 200, result('1', '"x"')],
    ['', 400, parseError],
    ['   ', 400, parseError],
    ['5', 400, parseError],
    ['null', 400, parseError],
    ['"x"', 400, parseError],
    [`${call('1')} x`, 400, parseError],
    [`[${call('1')}`, 400, parseError],
    ['{}', 400, invalid()],
    ['{"id":7,"params":[]}', 400, invalid('7')],
    ['{"id":7.5,"params":[]}', 400, invalid()],
    ['{"id":"7","params":[]}', 400, invalid()],
    ['{"id":7,"method":null}', 400, invalid('7')],
    ['{"id":7,"method":{}}', 400, invalid('7')],
    ['{"id":true,"method":"eth_echo"}', 400, invalid()],
    ['{"id":[1],"method":"eth_echo"}', 400, invalid()],
    ['{"id":7,"method":"eth_echo","params":{}}', 400, invalid('7')],
    ['{"id":7,"method":"eth_echo","params":false}', 400, invalid('7')],
    ['{"id":7,"method":"eth_echo","jsonrpc":{}}', 400, invalid('7')],
    ['{"method":"eth_echo","params":{}}', 400, invalid()],
    ['{"id":7,"method":5}', 200, error('7', -32601, 'Method not found')],
    ['{"id":7,"method":"eth_foo"}', 200, error('7', -32601, 'Method not found')],
    ['{"id":7,"method":"constructor"}', 200, error('7', -32601, 'Method not found')],
    ['{"id":7,"method":"debug_x"}', 200, error('7', -32604, 'Method not enabled')],
    ['{"id":7,"method":"eth_needy"}', 200, error('7', -32604, 'Method not enabled')],
    ['{"id":7,"method":"qbft_known"}', 200, error('7', -32604, 'Method not enabled')],
    ['{"id":7,"method":"rpc_a"}', 200, result('7', '"a"')],
    ['{"id":7,"method":"eth_echo","params":null}', 200, error('7', -32602, 'Invalid params')],
    ['{"id":7,"method":"eth_echo","params":[null]}', 200, error('7', -32602, 'Invalid params')],
    ['{"id":7,"method":"eth_echo","params":["x",1,{}]}', 200, result('7', '"x"')],
    ['{"id":7,"method":"eth_later","params":[3]}', 200, result('7', '3')],
    ['{"id":7,"method":"eth_later","params":[-3]}', 200, error('7', -32000, 'Block not found')],
    ['{"id":7,"method":"net_refused"}', 400, invalid('7')],
  ])('%s', async (request, status, body) => {
    expect(await ask(request)).toEqual([status, body])
  })

  test('what has no id is not run', async () => {
    ran.length = 0
    expect(await ask('{"method":"eth_echo","params":["silent"]}')).toEqual([200, ''])
    expect(ran).toEqual([])
  })

  test('a fault of ours is reported and not explained', async () => {
    expect(await ask('{"id":1,"method":"eth_broken"}')).toEqual([200, error('1', -32603, 'Internal error')])
    expect(errors).toHaveLength(1)
  })
})

describe('a batch', () => {
  test('keeps the order, mixes faults, leaves notifications out', async () => {
    const batch = `[${call('1')},{"id":2,"method":"eth_later","params":[9]},{"method":"eth_echo"}]`
    expect(await ask(batch)).toEqual([200, `[${result('1', '"x"')},${result('2', '9')}]`])
    expect(await ask('[1,[],{"id":1.0,"method":"eth_no"}]')).toEqual([
      200,
      `[${invalid()},${invalid()},${error('1.0', -32601, 'Method not found')}]`,
    ])
    expect(await ask('[{"method":"eth_echo"}]')).toEqual([200, '[]'])
    expect(await ask('[{"id":7,"method":"net_refused"}]')).toEqual([200, `[${invalid('7')}]`])
  })

  test('begins neighbouring calls together where the method wants it', async () => {
    const gather = (id: number) => `{"id":${id},"method":"eth_gather","params":[${id}]}`
    expect(await ask(`[${gather(1)},${gather(2)},${call('3')}]`)).toEqual([
      200,
      `[${result('1', '1')},${result('2', '2')},${result('3', '"x"')}]`,
    ])
  })

  test('has a limit', async () => {
    const calls = (count: number) => `[${Array.from({ length: count }, (_, i) => call(String(i + 1))).join(',')}]`
    const refusal = error('null', -32005, 'Number of requests exceeds max batch size')
    expect(await ask(calls(4))).toEqual([200, refusal])
    expect(await ask(calls(5), ws)).toEqual([200, refusal])
    expect((await ask(calls(4), ws))[1]).toBe(`[${['1', '2', '3', '4'].map((id) => result(id, '"x"')).join(',')}]`)
  })

  test('empty', async () => {
    expect(await ask('[]')).toEqual([400, invalid()])
    expect(await ask('[]', ws)).toEqual([200, '[]'])
  })

  test('streams long results in place', async () => {
    const numbers = method({
      name: 'eth_many',
      doc: '',
      needs: [],
      params: [],
      result: { schema: {}, encode: () => '', stream: () => ['[1,', '2]'] },
      handler: () => 0,
    })
    const dispatcher = createDispatcher({ ...base, methods: [echo, numbers], transport: wsTransport(4) })
    const many = '{"id":5,"method":"eth_many"}'
    expect((await ask(many, dispatcher))[1]).toBe(result('5', '[1,2]'))
    expect((await ask(`[${many},${call('6')}]`, dispatcher))[1]).toBe(`[${result('5', '[1,2]')},${result('6', '"x"')}]`)
  })
})

test('only calls that read the chain and whose answer is not there at once hold it', async () => {
  let holds = 0
  const hold = () => {
    holds++
    return () => {}
  }
  const reading = (name: string, handler: () => number | Promise<number>) =>
    method({ name, doc: '', needs: ['chain'], params: [], result: integer, handler })
  const methods = [echo, reading('eth_read', () => 1), reading('eth_readLong', async () => 2)]
  const dispatcher = createDispatcher({ ...base, methods, transport: wsTransport(4), hold })
  const context: RpcPorts = { chain: () => ({}) as RpcContext['chain'] }
  await ask(`[${call('1')},${call('2')}]`, dispatcher, context)
  expect(holds).toBe(0)
  expect((await ask('{"id":3,"method":"eth_read"}', dispatcher, context))[1]).toBe(result('3', '1'))
  expect(holds).toBe(0)
  expect((await ask('{"id":4,"method":"eth_readLong"}', dispatcher, context))[1]).toBe(result('4', '2'))
  expect(holds).toBe(1)
})

test('two calls whose parameters JSON writes alike are two calls', async () => {
  const kindOf = method({
    name: 'eth_kind',
    doc: '',
    needs: ['chain'],
    params: [param('value', text, { value: 'nothing' })],
    result: text,
    handler: (_, [value]) => value,
  })
  const dispatcher = createDispatcher({ ...base, methods: [kindOf], transport: httpTransport(3) })
  const view = {} as RpcContext['chain']
  const answers = ['[1e400]', '[null]'].map((params) =>
    ask(`{"jsonrpc":"2.0","id":1,"method":"eth_kind","params":${params}}`, dispatcher, { chain: () => view }),
  )
  expect((await Promise.all(answers)).map(([, body]) => body)).toEqual([
    result('1', '"Infinity"'),
    result('1', '"nothing"'),
  ])
})

test('an empty message over WebSocket is an invalid request', async () => {
  expect((await ask('', ws))[1]).toBe(invalid())
})

test('deep nesting is answered like anything else, and in a long text not looked into', async () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const request = (param: string) => `{"id":1,"method":"eth_echo","params":[${param}]}`
  expect(await ask(request(deep(30_000)))).toEqual([200, error('1', -32602, 'Invalid params')])
  expect(await ask(deep(30_000))).toEqual([200, `[${invalid()}]`])
  for (const text of [request(deep(100_000)), deep(100_000), '['.repeat(100_000), '{"a":'.repeat(100_000)])
    expect(await ask(text)).toEqual([400, parseError])
  const brackets = JSON.stringify(`\\"${'[{'.repeat(100_000)}`)
  expect(await ask(request(brackets))).toEqual([200, result('1', brackets)])
})
