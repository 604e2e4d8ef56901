import { describe, expect, test } from 'vitest'
import type { ChainView } from '../../chain/view.ts'
import { ReaderError, type ReaderFault } from '../../readers/fault.ts'
import type { ReaderReply, ReaderRequest } from '../../readers/readers.ts'
import { integer } from '../codecs/integer.ts'
import { createDispatcher } from './dispatch.ts'
import { httpTransport } from './dispatcher.ts'
import { faultTable } from './faultTable.ts'
import { method, param } from './method.ts'
import type { Requester } from './requester.ts'

/** Returns the number of the head that it sees. */
const here = (name: string, needs: readonly ('chain' | 'pool')[]) =>
  method({
    name,
    doc: '',
    needs,
    params: [],
    result: integer,
    handler: (context) => Number((context as { chain: ChainView }).chain.head.header.number),
  })
const heavy = method({
  name: 'eth_call',
  doc: '',
  needs: ['chain', 'evms'],
  params: [param('n', integer)],
  result: integer,
  handler: () => {
    throw new Error('ran in the node')
  },
})

/** A call that takes so many milliseconds here, with code that spends so much gas; those of one kind take about as long. */
const ran: number[] = []
let pass: (milliseconds: number) => void
const timed = method({
  name: 'eth_estimateGas',
  doc: '',
  needs: ['budget', 'chain', 'evms'],
  params: [
    param('milliseconds', integer),
    param('kind', integer, { value: 0 }),
    param('gas', integer, { value: 1_000_000 }),
  ],
  result: integer,
  alike: ([, kind]) => String(kind),
  handler({ budget }, [milliseconds, , gas]) {
    ran.push(milliseconds)
    budget.spendGas(BigInt(gas))
    pass(milliseconds)
    return milliseconds
  },
})

interface Setup {
  readonly reply?: (request: ReaderRequest) => ReaderReply
  readonly fault?: ReaderFault
  readonly requester?: Requester
  readonly gasCap?: bigint
  /** Milliseconds that a reader is busy with each request. */
  readonly busy?: number
  /** Whether each call waits for its turn; default: yes. */
  readonly waits?: boolean
}

/** A node whose chain has a new head whenever a call waits for its turn. */
function open({
  reply = () => ({ status: 200, body: '"passed on"' }),
  fault,
  requester,
  busy = 10,
  waits = true,
  gasCap = 50_000_000n,
}: Setup = {}) {
  const asked: ReaderRequest[] = []
  ran.length = 0
  let time = 0
  pass = (milliseconds) => void (time += milliseconds)
  let head = 1n
  let view = { head: { header: { number: head } } } as unknown as ChainView
  const dispatcher = createDispatcher({
    methods: [
      here('eth_light', ['chain']),
      here('eth_pooled', ['chain', 'pool']),
      here('eth_sendRawTransaction', ['chain', 'pool']),
      heavy,
      timed,
    ],
    knownNames: new Set(),
    namespaces: ['ETH'],
    transport: httpTransport(0),
    faults: faultTable,
    onInternalError: () => {},
    limits: { gasCap, time: 1_000_000_000 },
    readers: {
      minTime: 4,
      async ask(request) {
        asked.push(request)
        if (fault) throw new ReaderError(fault)
        const answer = reply(request)
        return { busy, ...answer }
      },
    },
    turns: {
      run: (work) => work(),
      isOver: () => waits,
      async later(work) {
        await null
        view = { head: { header: { number: ++head } } } as unknown as ChainView
        return work()
      },
      spend() {},
    },
    now: () => time,
  })
  const ports = { chain: () => view, evms: {} as never, pool: {} as never }
  async function send(json: unknown): Promise<unknown> {
    const { body } = await dispatcher.dispatch(JSON.stringify(json), ports, requester, { address: '10.0.0.1' })
    return JSON.parse(body as string)
  }
  return { asked, send }
}

const call = (name: string, id = 1, params: unknown[] = []) => ({ jsonrpc: '2.0', id, method: name, params })
const results = (replies: unknown) => (replies as { result: number }[]).map(({ result }) => result)

describe('what only reads and may take long', () => {
  test('is passed on as it came', async () => {
    const { asked, send } = open()
    expect(await send(call('eth_call', 7, [1]))).toBe('passed on')
    expect(asked).toMatchObject([{ kind: 'rpc', method: 'eth_call', client: '10.0.0.1' }])
    expect(JSON.parse(asked[0]!.text)).toEqual(call('eth_call', 7, [1]))
  })

  test('is not passed on for a caller who may not call it', async () => {
    const { asked, send } = open({ requester: { may: (name) => name !== 'eth_call' } })
    expect(await send(call('eth_call', 1, [1]))).toMatchObject({ error: { code: -40100 } })
    expect(await send([call('eth_light'), call('eth_call', 2, [1])])).toMatchObject([
      { id: 1 },
      { error: { code: -40100 } },
    ])
    expect(asked).toEqual([])
  })

  test('is passed on each time', async () => {
    const { asked, send } = open()
    for (let i = 0; i < 2; i++) await send(call('eth_call', 1, [1]))
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['QUEUE_FULL', { code: 'QUEUE_FULL' }, -32005, 'try again later'],
    [
      'TIME_LIMIT',
      { code: 'TIME_LIMIT', seconds: 30 },
      -32603,
      'Timeout expired: the call took over 30 s; ask for less',
    ],
    ['READER_LOST', { code: 'READER_LOST' }, -32603, 'has ended'],
  ] as const)('is an error of the call: %s', async (_, fault, code, message) => {
    const { send } = open({ fault })
    const error = { code, message: expect.stringContaining(message) }
    expect(await send(call('eth_call', 3, [1]))).toEqual({ jsonrpc: '2.0', id: 3, error })
    const replies = [1, 2].map((id) => ({ jsonrpc: '2.0', id, error }))
    expect(await send([call('eth_light', 1), call('eth_call', 2, [1])])).toEqual(replies)
  })
})

describe('a batch', () => {
  test('that only reads is passed on as a whole if one of its calls may take long', async () => {
    const { asked, send } = open()
    await send([call('eth_light', 1), call('eth_call', 2, [1])])
    expect(asked.map(({ text }) => JSON.parse(text))).toEqual([[call('eth_light', 1), call('eth_call', 2, [1])]])
  })

  test('that needs more is answered here, but for the calls that may take long', async () => {
    const { asked, send } = open({ reply: ({ text }) => ({ status: 200, body: text }) })
    const replies = await send([call('eth_pooled', 1), call('eth_call', 2, [1])])
    expect(replies).toMatchObject([{ id: 1, result: 1 }, call('eth_call', 2, [1])])
    expect(asked).toHaveLength(1)
  })

  test('that does not change the chain sees one head', async () => {
    const { send } = open()
    expect(results(await send([call('eth_light'), call('eth_pooled', 2), call('eth_light', 3)]))).toEqual([1, 1, 1])
  })

  test('that changes the chain sees the changes', async () => {
    const { send } = open()
    const calls = [call('eth_light'), call('eth_sendRawTransaction', 2), call('eth_light', 3)]
    expect(results(await send(calls))).toEqual([2, 3, 4])
  })
})

describe('a call of a kind that is not known to be long', () => {
  const of = (milliseconds: number, kind = 0, id = 1) => call('eth_estimateGas', id, [milliseconds, kind])
  const runsHere = async (send: (json: unknown) => Promise<unknown>, json: unknown) => {
    const before = ran.length
    await send(json)
    return ran.length > before
  }

  test.each([true, false])('is answered here (after others: %s)', async (waits) => {
    const { asked, send } = open({ waits })
    expect(await send(of(1))).toMatchObject({ result: 1 })
    expect(asked).toEqual([])
  })

  test('makes its kind one for readers if it was long, until readers are quick with it', async () => {
    let busy = 10
    const { send } = open({ waits: false, reply: ({ text }) => ({ status: 200, body: text, busy }) as ReaderReply })
    expect(await runsHere(send, of(4))).toBe(true)
    pass(1_000_000)
    expect(await runsHere(send, of(4))).toBe(false)
    busy = 3
    expect(await runsHere(send, of(4))).toBe(false)
    expect(await runsHere(send, of(4))).toBe(false)
    busy = 1
    expect(await runsHere(send, of(4))).toBe(false)
    expect(await runsHere(send, of(1))).toBe(true)
  })

  test('is not long if its code spent little: something else took the time', async () => {
    const { send } = open({ waits: false })
    expect(await runsHere(send, call('eth_estimateGas', 1, [50, 1, 30_000]))).toBe(true)
    expect(await runsHere(send, of(1, 1))).toBe(true)
  })

  test('goes to a reader for a while if another one of its client was long, each time for longer', async () => {
    const { send } = open({ waits: false, busy: 2 })
    expect(await runsHere(send, of(4, 1))).toBe(true)
    expect(await runsHere(send, of(1, 2))).toBe(false)
    pass(100)
    expect(await runsHere(send, of(1, 2))).toBe(true)
    expect(await runsHere(send, of(4, 3))).toBe(true)
    pass(150)
    expect(await runsHere(send, of(1, 2))).toBe(false)
    pass(50)
    expect(await runsHere(send, of(1, 2))).toBe(true)
    // After a quiet time it is as at first.
    pass(1000)
    expect(await runsHere(send, of(4, 4))).toBe(true)
    pass(100)
    expect(await runsHere(send, of(1, 2))).toBe(true)
  })

  test('is answered here in a batch, unless one of them is for readers', async () => {
    const { asked, send } = open({ waits: false })
    expect(results(await send([of(1), call('eth_light', 2), of(2, 0, 3)]))).toEqual([1, 1, 2])
    expect(asked).toEqual([])
    await send(of(5, 7))
    pass(100)
    const calls = [of(1), call('eth_light', 2), of(5, 7, 3)]
    expect(await send(calls)).toBe('passed on')
    expect(JSON.parse(asked[0]!.text)).toEqual(calls)
  })

  test('goes alone to a reader from a batch that needs more than the chain', async () => {
    const { asked, send } = open({ waits: false, reply: ({ text }) => ({ status: 200, body: text }) })
    await send(of(5, 7))
    pass(100)
    const calls = [call('eth_pooled', 1), of(5, 7, 2), of(1, 0, 3)]
    expect(await send(calls)).toMatchObject([{ result: 1 }, calls[1], { result: 1 }])
    expect(asked.map(({ text }) => JSON.parse(text))).toEqual([calls[1]])
  })
})

test('code runs in readers only where its gas has no limit', async () => {
  const { asked, send } = open({ gasCap: 0n })
  await send(call('eth_estimateGas', 1, [1]))
  expect([ran, asked.length]).toEqual([[], 1])
})
