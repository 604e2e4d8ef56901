import { describe, expect, test } from 'vitest'
import type { ChainView } from '../../chain/view.ts'
import { LongRunError } from '../../query/boundedEvm.ts'
import { ReaderError, type ReaderFault } from '../../readers/fault.ts'
import type { ReaderReply, ReaderRequest } from '../../readers/readers.ts'
import { integer } from '../codecs/integer.ts'
import { createDispatcher, httpTransport } from './dispatch.ts'
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

/** Code that runs so many units of gas. */
const begun: number[] = []
const begins = method({
  name: 'eth_estimateGas',
  doc: '',
  needs: ['chain', 'evms'],
  params: [param('gas', integer)],
  result: integer,
  beginsHere: true,
  handler({ evms }, [gas]) {
    begun.push(gas)
    ;(evms as unknown as FakeEvms).spend(gas)
    return gas
  },
})

interface FakeEvms {
  within<T>(gas: bigint, run: () => T): T
  spend(gas: number): void
}

function createFakeEvms(): FakeEvms {
  let left = Number.POSITIVE_INFINITY
  return {
    within(gas, run) {
      left = Number(gas)
      try {
        return run()
      } finally {
        left = Number.POSITIVE_INFINITY
      }
    },
    spend(gas) {
      left -= gas
      if (left < 0) throw new LongRunError()
    },
  }
}

interface Setup {
  readonly reply?: (request: ReaderRequest) => ReaderReply | undefined
  readonly fault?: ReaderFault
  readonly requester?: Requester
  /** Whether each call waits for its turn; default: yes. */
  readonly waits?: boolean
}

/** A node whose chain has a new head whenever a call waits for its turn. */
function open({ reply = () => ({ status: 200, body: '"passed on"' }), fault, requester, waits = true }: Setup = {}) {
  const asked: ReaderRequest[] = []
  begun.length = 0
  let time = 0
  let head = 1n
  let view = { head: { header: { number: head } } } as unknown as ChainView
  const dispatcher = createDispatcher({
    methods: [
      here('eth_light', ['chain']),
      here('eth_pooled', ['chain', 'pool']),
      here('eth_sendRawTransaction', ['chain', 'pool']),
      heavy,
      begins,
    ],
    knownNames: new Set(),
    namespaces: ['ETH'],
    transport: httpTransport(0),
    faults: faultTable,
    onInternalError: () => {},
    readers: {
      minGas: 500_000n,
      async ask(request) {
        asked.push(request)
        if (fault) throw new ReaderError(fault)
        return reply(request)
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
  const ports = { chain: () => view, evms: createFakeEvms() as never, pool: {} as never }
  async function send(json: unknown): Promise<unknown> {
    const { body } = await dispatcher.dispatch(JSON.stringify(json), ports, requester, { address: '10.0.0.1' })
    return JSON.parse(body as string)
  }
  return { asked, send, pass: (milliseconds: number) => void (time += milliseconds) }
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

describe('a call that seems to be short', () => {
  const short = (id = 1, gas = 1000) => call('eth_estimateGas', id, [gas])
  const long = (id = 1, gas = 50_000_000) => call('eth_estimateGas', id, [gas])

  test.each([true, false])('is answered here (after others: %s)', async (waits) => {
    const { asked, send } = open({ waits })
    expect(await send(short())).toMatchObject({ result: 1000 })
    expect(asked).toEqual([])
  })

  test.each([true, false])('moves to a reader if it is not (after others: %s)', async (waits) => {
    const { asked, send } = open({ waits })
    expect(await send(long(9))).toBe('passed on')
    expect(JSON.parse(asked[0]!.text)).toEqual(long(9))
    expect(begun).toEqual([50_000_000])
  })

  test('begins in a reader for a while after one that was long, each time for longer', async () => {
    const { asked, send, pass } = open({ waits: false })
    const beginsHere = async () => {
      const before = begun.length
      await send(long())
      return begun.length > before
    }
    expect(await beginsHere()).toBe(true)
    expect(await beginsHere()).toBe(false)
    pass(50)
    expect(await beginsHere()).toBe(true)
    pass(50)
    expect(await beginsHere()).toBe(false)
    pass(50)
    expect(await beginsHere()).toBe(true)
    pass(10_000)
    expect(await send(short())).toMatchObject({ result: 1000 })
    expect(await beginsHere()).toBe(true)
    pass(50)
    expect(await beginsHere()).toBe(true)
    expect(asked).toHaveLength(7)
  })

  test('is answered here in a batch, unless the calls together are long', async () => {
    const { asked, send } = open({ waits: false })
    expect(results(await send([short(1), call('eth_light', 2), short(3, 2000)]))).toEqual([1000, 1, 2000])
    expect(asked).toEqual([])
    const calls = [short(1, 300_000), call('eth_light', 2), short(3, 300_001)]
    expect(await send(calls)).toBe('passed on')
    expect(JSON.parse(asked[0]!.text)).toEqual(calls)
  })

  test('moves alone out of a batch that needs more than the chain', async () => {
    const { asked, send } = open({ waits: false, reply: ({ text }) => ({ status: 200, body: text }) })
    expect(await send([call('eth_pooled', 1), long(2), short(3)])).toMatchObject([{ result: 1 }, long(2), short(3)])
    expect(asked.map(({ text }) => JSON.parse(text))).toEqual([long(2), short(3)])
  })
})
