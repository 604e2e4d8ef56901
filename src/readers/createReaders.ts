import type { Clock } from '../system/clock.ts'
import { createCosts, slowFrom } from './costs.ts'
import { ReaderError } from './fault.ts'
import type { FromReader } from './frames.ts'
import type { ReaderListener, ReaderProcess } from './readerProcess.ts'
import type { ReaderRequest, Readers, TimedReply } from './readers.ts'
import { readReplyFile } from './replyFile.ts'
import { createWaitingList, type Job } from './waitingList.ts'

export interface ReaderOptions {
  /** Maximum number of processes. */
  readonly max: number
  /** Milliseconds that a request may run; then its reader is killed. */
  readonly callTime: number
  readonly minTime: number
}

export interface ReaderParts {
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds since an arbitrary moment. */
  now(): number
  /** Number of heads that were announced: a reader that has read an earlier one looks again. */
  heads(): number
  start(listener: ReaderListener): ReaderProcess
  /** Called when a reader has ended unasked, or was killed because a request took too long. */
  onLost(loss: ReaderLoss): void
  /** Called with errors that no client caused. */
  onInternalError(text: string, method: string): void
  /** Called with texts that contracts print. */
  onPrinted(text: string): void
}

export interface ReaderLoss {
  readonly pid: number
  readonly how: string
  /** The method that it ran; undefined if it was idle. */
  readonly method: string | undefined
}

/** What metrics show of readers. */
export interface ReaderCounts {
  readonly running: number
  readonly waiting: number
}

export interface ReaderPool extends Readers {
  counts(): ReaderCounts
  /** Ends all readers; requests that wait or run are rejected. */
  stop(): void
}

/** Milliseconds after which a reader that has nothing to do ends. */
const idleTime = 300_000
/** Milliseconds that the start of a reader may take. */
const startTime = 30_000
/**
 * Short requests are sent ahead, so that a reader need not wait for the next one: as many at most, and milliseconds of work
 * that a reader gets before an idle one does, and at most.
 */
const ahead = { requests: 64, before: 1, time: 5 }
/** Readers that end before they were ready, in a row, after which requests fail. */
const maxFailedStarts = 3

/** A process with the requests that it has; it answers them in their order. */
interface Reader {
  process: ReaderProcess
  isReady: boolean
  readonly jobs: Map<number, Job>
  /** Milliseconds that they are expected to take. */
  work: number
  /** When it began with the first one. */
  began: number
  cancel: () => void
  isOverTime: boolean
}

/** Starts readers when they are needed, gives them requests in a fair order, and replaces those that end. */
export function createReaders({ max, callTime, minTime }: ReaderOptions, parts: ReaderParts): ReaderPool {
  const { clock, now } = parts
  const waiting = createWaitingList()
  const costs = createCosts()
  const readers = new Set<Reader>()
  const running = new Map<string, number>()
  let lastId = 0
  let failedStarts = 0
  let isStopped = false

  const runsLong = (reader: Reader): boolean =>
    reader.jobs.size > 0 && (reader.work >= slowFrom || now() - reader.began >= slowFrom)

  function start(): Reader {
    const reader: Reader = {
      process: undefined as never,
      isReady: false,
      jobs: new Map(),
      work: 0,
      began: now(),
      cancel: () => {},
      isOverTime: false,
    }
    reader.process = parts.start({
      onMessage: (message) => hear(reader, message),
      onExit: (how) => lose(reader, how),
    })
    readers.add(reader)
    return reader
  }

  function countRunning({ request: { client } }: Job, by: 1 | -1): void {
    const left = (running.get(client) ?? 0) + by
    if (left > 0) running.set(client, left)
    else running.delete(client)
  }

  /** A reader that can take a request: one that is about to have nothing to do, an idle one, or a new one. */
  function findReader({ expected }: Job): Reader | undefined {
    let idle: Reader | undefined
    let least: { readonly reader: Reader; readonly work: number } | undefined
    for (const reader of readers) {
      if (reader.jobs.size === 0) idle ??= reader
      else if (reader.jobs.size < ahead.requests && !runsLong(reader)) {
        const work = reader.work + expected
        if (work <= (least?.work ?? ahead.time)) least = { reader, work }
      }
    }
    if (least && least.work <= ahead.before) return least.reader
    return idle ?? (readers.size < max ? start() : least?.reader)
  }

  /** Whether a slow request may begin: one reader, if there are several, is kept for the others. */
  function mayRunLong(): boolean {
    if (max === 1) return true
    let long = 0
    for (const reader of readers) if (runsLong(reader)) long++
    return long < max - 1
  }

  function giveOut(): void {
    while (waiting.length > 0) {
      const slowToo = mayRunLong()
      const job = waiting.take(
        ({ expected }) => slowToo || expected < slowFrom,
        (client) => running.get(client) ?? 0,
      )
      if (!job) return
      const fault = faultOf(job)
      const reader = fault ? undefined : findReader(job)
      if (fault) job.reject(fault)
      else if (reader) give(reader, job)
      else {
        waiting.putBack(job)
        return
      }
    }
  }

  /** Why a request that has waited need not run. */
  function faultOf({ request, came }: Job): ReaderError | undefined {
    if (request.isGone?.()) return new ReaderError({ code: 'CLIENT_GONE' })
    return now() - came < request.time
      ? undefined
      : new ReaderError({ code: 'TIME_LIMIT', seconds: request.time / 1000 })
  }

  function give(reader: Reader, job: Job): void {
    const { kind, text, context } = job.request
    const id = (lastId = (lastId + 1) % 2 ** 32)
    reader.jobs.set(id, job)
    reader.work += job.expected
    countRunning(job, 1)
    reader.process.send({ kind, id, heads: parts.heads(), context, text })
    if (reader.jobs.size === 1) begin(reader)
  }

  /** The first of its requests begins, or there is none. */
  function begin(reader: Reader): void {
    reader.cancel()
    reader.began = now()
    const [time, act] = reader.jobs.size === 0 ? [idleTime, dismiss] : [reader.isReady ? callTime : startTime, overTime]
    reader.cancel = clock.after(time, () => act(reader))
  }

  function overTime(reader: Reader): void {
    reader.isOverTime = true
    reader.process.kill()
  }

  function dismiss(reader: Reader): void {
    readers.delete(reader)
    reader.process.kill()
  }

  /** `cost` is in microseconds. */
  function finish(reader: Reader, id: number, cost: number): Job | undefined {
    const job = reader.jobs.get(id)
    if (!job) return undefined
    reader.jobs.delete(id)
    reader.work = reader.jobs.size === 0 ? 0 : reader.work - job.expected
    countRunning(job, -1)
    costs.record(job.request.client, job.request.method, cost / 1000)
    begin(reader)
    return job
  }

  function hear(reader: Reader, message: FromReader): void {
    if (message.kind === 'ready') {
      reader.isReady = true
      reader.process.lowerPriority()
      failedStarts = 0
      // Only now does its first request run.
      if (reader.jobs.size > 0) begin(reader)
    } else if (message.kind === 'error') parts.onInternalError(message.text, message.method)
    else if (message.kind === 'printed') parts.onPrinted(message.text)
    else {
      finish(reader, message.id, message.cost)?.resolve(replyOf(message))
      giveOut()
    }
  }

  function lose(reader: Reader, how: string): void {
    reader.cancel()
    if (!readers.delete(reader)) return
    const [first, ...others] = reader.jobs.values()
    for (const job of reader.jobs.values()) countRunning(job, -1)
    // Anyone who kills readers from outside must not make requests fail that none has begun.
    if (!reader.isReady && how !== 'SIGKILL') failedStarts++
    const isHopeless = !reader.isReady && failedStarts >= maxFailedStarts
    // Those behind the first had not begun, and neither had any in a reader that was not ready.
    for (const job of reader.isReady || isHopeless ? others : reader.jobs.values()) waiting.putBack(job)
    if (first && (reader.isReady || isHopeless)) {
      const { client, method } = first.request
      costs.record(client, method, now() - reader.began)
      const seconds = callTime / 1000
      first.reject(new ReaderError(reader.isOverTime ? { code: 'TIME_LIMIT', seconds } : { code: 'READER_LOST' }))
    }
    parts.onLost({
      pid: reader.process.pid,
      how: reader.isOverTime ? 'a time limit' : how,
      method: first?.request.method,
    })
    if (isHopeless) {
      failedStarts = 0
      for (const job of waiting.drain()) job.reject(new ReaderError({ code: 'READER_LOST' }))
    }
    giveOut()
  }

  return {
    minTime,
    ask(request: ReaderRequest) {
      return new Promise<TimedReply>((resolve, reject) => {
        if (isStopped) throw new ReaderError({ code: 'STOPPING' })
        const expected = costs.expected(request.client, request.method)
        if (!waiting.add({ request, came: now(), expected, resolve, reject }))
          throw new ReaderError({ code: 'QUEUE_FULL' })
        giveOut()
      })
    },
    counts: () => ({ running: readers.size, waiting: waiting.length }),
    stop() {
      isStopped = true
      const ending = [...readers]
      readers.clear()
      const left = ending.flatMap(({ jobs }) => [...jobs.values()])
      for (const reader of ending) {
        reader.cancel()
        reader.process.kill()
      }
      for (const job of [...left, ...waiting.drain()]) job.reject(new ReaderError({ code: 'STOPPING' }))
    },
  }
}

function replyOf(message: Extract<FromReader, { kind: 'reply' | 'file' }>): TimedReply {
  return {
    status: message.status,
    busy: message.cost / 1000,
    body: message.kind === 'reply' ? message.text : readReplyFile(message.text),
  }
}
