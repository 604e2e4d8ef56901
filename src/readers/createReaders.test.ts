import { beforeEach, describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../test/support/manualClock.ts'
import { createReaders, type ReaderLoss, type ReaderPool } from './createReaders.ts'
import type { FromReader, ToReader } from './frames.ts'
import type { ReaderListener } from './readerProcess.ts'
import type { ReaderRequest } from './readers.ts'
import { maxWaiting } from './waitingList.ts'

type Sent = Exclude<ToReader, { kind: 'settings' }>

/** A process that a test plays. */
interface FakeProcess {
  readonly sent: Sent[]
  emit(message: FromReader): void
  /** Answers the first request that it has, which took so many milliseconds. */
  answer(milliseconds?: number): void
  exit(how: string): void
}

let clock: ManualClock
let processes: FakeProcess[]
let losses: ReaderLoss[]
let heads: number

beforeEach(() => {
  clock = createManualClock(0)
  processes = []
  losses = []
  heads = 0
})

function startFake(listener: ReaderListener) {
  const sent: Sent[] = []
  const pid = processes.length + 1
  let isUp = true
  const exit = (how: string) => {
    if (isUp) listener.onExit(how)
    isUp = false
  }
  processes.push({
    sent,
    emit: listener.onMessage,
    answer(milliseconds = 0.1) {
      const { id, text } = sent.shift()!
      listener.onMessage({ kind: 'reply', id, status: 200, cost: milliseconds * 1000, text: `answer to ${text}` })
    },
    exit,
  })
  const send = (message: ToReader) => void sent.push(message as Sent)
  return { pid, send, lowerPriority() {}, kill: () => exit('SIGKILL') }
}

function open(max: number): ReaderPool {
  return createReaders(
    { max, callTime: 30_000, minTime: 0 },
    {
      clock,
      now: clock.now,
      heads: () => heads,
      start: startFake,
      onLost: (loss) => losses.push(loss),
      onInternalError: () => {},
      onPrinted: () => {},
    },
  )
}

const request = (text: string, more: Partial<ReaderRequest> = {}): ReaderRequest => ({
  ...{ kind: 'rpc', text, method: 'eth_call', client: 'alice', time: 300_000 },
  ...more,
})

/** What became of a request, as soon as it is known. */
function outcomeOf(pool: ReaderPool, asked: ReaderRequest): { value: string | undefined } {
  const outcome: { value: string | undefined } = { value: undefined }
  pool.ask(asked).then(
    (reply) => (outcome.value = String(reply.body)),
    (error: Error) => (outcome.value = error.message),
  )
  return outcome
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const textsOf = (process: FakeProcess | undefined) => process?.sent.map(({ text }) => text)

/** Lets the pool learn that a method of a client takes long. */
async function learnSlow(pool: ReaderPool, method: string): Promise<void> {
  const outcome = outcomeOf(pool, request('slow', { method }))
  const process = processes.find(({ sent }) => sent.some(({ text }) => text === 'slow'))!
  process.emit({ kind: 'ready' })
  process.answer(2000)
  await settle()
  expect(outcome.value).toBe('answer to slow')
}

test('no process is started before the first request, nor more than needed', async () => {
  const pool = open(3)
  expect(processes).toHaveLength(0)
  const outcome = outcomeOf(pool, request('a'))
  expect(processes).toHaveLength(1)
  processes[0]!.emit({ kind: 'ready' })
  processes[0]!.answer()
  await settle()
  expect(outcome.value).toBe('answer to a')
  outcomeOf(pool, request('b'))
  expect(processes).toHaveLength(1)
})

test('a request says which head the node has announced', () => {
  const pool = open(1)
  outcomeOf(pool, request('a'))
  heads = 7
  outcomeOf(pool, request('b'))
  expect(processes[0]!.sent.map((sent) => sent.heads)).toEqual([0, 7])
})

describe('order', () => {
  test('requests that take long leave one reader for the others', async () => {
    const pool = open(2)
    await learnSlow(pool, 'debug_traceCall')
    for (const text of ['slow 1', 'slow 2', 'slow 3']) outcomeOf(pool, request(text, { method: 'debug_traceCall' }))
    expect(textsOf(processes[0])).toEqual(['slow 1'])
    expect(processes).toHaveLength(1)
    outcomeOf(pool, request('quick', { client: 'bob' }))
    expect(textsOf(processes[1])).toEqual(['quick'])
    processes[1]!.answer()
    expect(textsOf(processes[1])).toEqual([])
    processes[0]!.answer(2000)
    expect(textsOf(processes[0])).toEqual(['slow 2'])
  })

  test('a short request goes before a long one that came shortly before, but not before one that has waited', async () => {
    const pool = open(1)
    await learnSlow(pool, 'debug_traceCall')
    const trace = { method: 'debug_traceCall' }
    outcomeOf(pool, request('running', trace))
    outcomeOf(pool, request('long', trace))
    outcomeOf(pool, request('short'))
    processes[0]!.answer(2000)
    expect(textsOf(processes[0])).toEqual(['short'])
    clock.run(10_000)
    outcomeOf(pool, request('late'))
    processes[0]!.answer()
    expect(textsOf(processes[0])).toEqual(['long'])
  })

  test('a client with nothing running goes before one that has taken its share', async () => {
    const pool = open(3)
    const trace = { method: 'trace_block' }
    for (const text of ['a1', 'a2', 'a3']) outcomeOf(pool, request(text, trace))
    outcomeOf(pool, request('b1', { ...trace, client: 'bob' }))
    expect(processes.map(textsOf)).toEqual([['a1'], ['a2']])
    processes[0]!.answer()
    expect(processes.map(textsOf)).toEqual([['b1'], ['a2']])
  })

  test('short requests are sent ahead, long ones are not', () => {
    const pool = open(1)
    outcomeOf(pool, request('a'))
    outcomeOf(pool, request('b'))
    outcomeOf(pool, request('trace', { method: 'trace_block' }))
    expect(textsOf(processes[0])).toEqual(['a', 'b'])
  })
})

test('when too many requests wait, further ones are refused', async () => {
  const pool = open(1)
  const trace = { method: 'trace_block' }
  outcomeOf(pool, request('running', trace))
  for (let i = 0; i < maxWaiting.client; i++) outcomeOf(pool, request(`${i}`, trace))
  const refused = outcomeOf(pool, request('one more', trace))
  const other = outcomeOf(pool, request('of another client', { ...trace, client: 'bob' }))
  await settle()
  expect([refused.value, other.value]).toEqual(['QUEUE_FULL', undefined])
  for (let i = 1; i < maxWaiting.all - maxWaiting.client; i++)
    outcomeOf(pool, request(`${i}`, { ...trace, client: 'bob' }))
  const third = outcomeOf(pool, request('third', { ...trace, client: 'carol' }))
  await settle()
  expect(third.value).toBe('QUEUE_FULL')
})

describe('a reader that ends', () => {
  test('fails the request that it ran; the others run in a new one', async () => {
    const pool = open(1)
    const outcomes = ['a', 'b', 'c'].map((text) => outcomeOf(pool, request(text)))
    processes[0]!.emit({ kind: 'ready' })
    processes[0]!.exit('SIGSEGV')
    expect(losses).toEqual([{ pid: 1, how: 'SIGSEGV', method: 'eth_call' }])
    expect(processes).toHaveLength(2)
    processes[1]!.emit({ kind: 'ready' })
    processes[1]!.answer()
    processes[1]!.answer()
    await settle()
    expect(outcomes.map(({ value }) => value)).toEqual(['READER_LOST', 'answer to b', 'answer to c'])
  })

  test('before it was ready fails nothing, until that happens again and again', async () => {
    const pool = open(1)
    const outcome = outcomeOf(pool, request('a'))
    processes[0]!.exit('code 1')
    processes[1]!.exit('code 1')
    await settle()
    expect(outcome.value).toBeUndefined()
    processes[2]!.exit('code 1')
    await settle()
    expect(outcome.value).toBe('READER_LOST')
    expect(processes).toHaveLength(3)
  })

  test('and was killed before it was ready fails nothing, however often', async () => {
    const pool = open(1)
    const outcome = outcomeOf(pool, request('a'))
    for (let i = 0; i < 5; i++) processes[i]!.exit('SIGKILL')
    await settle()
    expect(outcome.value).toBeUndefined()
    expect(textsOf(processes[5])).toEqual(['a'])
  })

  test('is killed when a request runs for too long', async () => {
    const pool = open(1)
    const outcomes = ['endless', 'next'].map((text) => outcomeOf(pool, request(text)))
    // The start of the process does not count.
    clock.run(29_000)
    processes[0]!.emit({ kind: 'ready' })
    clock.run(29_999)
    await settle()
    expect(outcomes[0]!.value).toBeUndefined()
    clock.run(1)
    await settle()
    expect(outcomes[0]!.value).toContain('TIME_LIMIT')
    expect(textsOf(processes[1])).toEqual(['next'])
  })

  test('is killed when it does not start', async () => {
    const pool = open(1)
    outcomeOf(pool, request('a'))
    clock.run(30_000)
    expect(losses).toHaveLength(1)
    expect(textsOf(processes[1])).toEqual(['a'])
  })

  test('has nothing to do: it ends after a while, unnoticed', async () => {
    const pool = open(1)
    outcomeOf(pool, request('a'))
    processes[0]!.emit({ kind: 'ready' })
    processes[0]!.answer()
    expect(pool.counts().running).toBe(1)
    clock.run(300_000)
    expect(pool.counts().running).toBe(0)
    expect(losses).toEqual([])
  })
})

test('a request of a client that has gone is not run, nor one that has waited too long', async () => {
  const pool = open(1)
  const trace = { method: 'trace_block' }
  outcomeOf(pool, request('running', trace))
  const gone = outcomeOf(pool, request('gone', { ...trace, isGone: () => true }))
  const late = outcomeOf(pool, request('late', { ...trace, time: 1000 }))
  clock.run(1000)
  processes[0]!.answer()
  await settle()
  expect([gone.value, late.value]).toEqual(['CLIENT_GONE', expect.stringContaining('TIME_LIMIT')])
  expect(textsOf(processes[0])).toEqual([])
})

test('when the node stops, those who wait are told', async () => {
  const pool = open(1)
  const outcomes = ['a', 'b'].map((text) => outcomeOf(pool, request(text, { method: 'trace_block' })))
  pool.stop()
  outcomes.push(outcomeOf(pool, request('c')))
  await settle()
  expect(outcomes.map(({ value }) => value)).toEqual(['STOPPING', 'STOPPING', 'STOPPING'])
})
