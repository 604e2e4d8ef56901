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

function overTime(reader: Reader): void {
  reader.isOverTime = true
  reader.process.kill()
}

/**
 * The processes that answer long calls: which is busy with what, who waits, and which have to be replaced. Processes, not threads: one
 * that runs out of memory or time is killed without harm to the node, and the system gives it less of the processor.
 */
class ReaderProcesses implements ReaderPool {
  private readonly options: ReaderOptions
  private readonly parts: ReaderParts
  private readonly waiting = createWaitingList()
  private readonly costs = createCosts()
  private readonly readers = new Set<Reader>()
  private readonly running = new Map<string, number>()
  private lastId = 0
  private failedStarts = 0
  private isStopped = false
  readonly minTime: ReaderPool['minTime']

  constructor(options: ReaderOptions, parts: ReaderParts) {
    this.parts = parts
    this.options = options
    this.minTime = options.minTime
  }

  private runsLong(reader: Reader): boolean {
    return reader.jobs.size > 0 && (reader.work >= slowFrom || this.parts.now() - reader.began >= slowFrom)
  }

  private start(): Reader {
    const reader: Reader = {
      process: undefined as never,
      isReady: false,
      jobs: new Map(),
      work: 0,
      began: this.parts.now(),
      cancel: () => {},
      isOverTime: false,
    }
    reader.process = this.parts.start({
      onMessage: (message) => this.handle(reader, message),
      onExit: (how) => this.lose(reader, how),
    })
    this.readers.add(reader)
    return reader
  }

  private countRunning({ request: { client } }: Job, by: 1 | -1): void {
    const left = (this.running.get(client) ?? 0) + by
    if (left > 0) this.running.set(client, left)
    else this.running.delete(client)
  }

  /** A reader that can take a request: one that is about to have nothing to do, an idle one, or a new one. */
  private findReader({ expected }: Job): Reader | undefined {
    let idle: Reader | undefined
    let least: { readonly reader: Reader; readonly work: number } | undefined
    for (const reader of this.readers) {
      if (reader.jobs.size === 0) idle ??= reader
      else if (reader.jobs.size < ahead.requests && !this.runsLong(reader)) {
        const work = reader.work + expected
        if (work <= (least?.work ?? ahead.time)) least = { reader, work }
      }
    }
    if (least && least.work <= ahead.before) return least.reader
    return idle ?? (this.readers.size < this.options.max ? this.start() : least?.reader)
  }

  /** Whether a slow request may begin: one reader, if there are several, is kept for the others. */
  private mayRunLong(): boolean {
    if (this.options.max === 1) return true
    let long = 0
    for (const reader of this.readers) if (this.runsLong(reader)) long++
    return long < this.options.max - 1
  }

  private giveOut(): void {
    while (this.waiting.length > 0) {
      const slowToo = this.mayRunLong()
      const job = this.waiting.take(
        ({ expected }) => slowToo || expected < slowFrom,
        (client) => this.running.get(client) ?? 0,
      )
      if (!job) return
      const fault = this.faultOf(job)
      const reader = fault ? undefined : this.findReader(job)
      if (fault) job.reject(fault)
      else if (reader) this.give(reader, job)
      else {
        this.waiting.putBack(job)
        return
      }
    }
  }

  /** Why a request that has waited need not run. */
  private faultOf({ request, came }: Job): ReaderError | undefined {
    if (request.isGone?.()) return new ReaderError({ code: 'CLIENT_GONE' })
    return this.parts.now() - came < request.time
      ? undefined
      : new ReaderError({ code: 'TIME_LIMIT', seconds: request.time / 1000 })
  }

  private give(reader: Reader, job: Job): void {
    const { kind, text, context } = job.request
    const id = (this.lastId = (this.lastId + 1) % 2 ** 32)
    reader.jobs.set(id, job)
    reader.work += job.expected
    this.countRunning(job, 1)
    reader.process.send({ kind, id, heads: this.parts.heads(), context, text })
    if (reader.jobs.size === 1) this.begin(reader)
  }

  /** The first of its requests begins, or there is none. */
  private begin(reader: Reader): void {
    reader.cancel()
    reader.began = this.parts.now()
    const [first] = reader.jobs.values()
    const [time, act] = first ? [reader.isReady ? this.runTime(first) : startTime, overTime] : [idleTime, this.dismiss]
    reader.cancel = this.parts.clock.after(time, () => act(reader))
  }

  private readonly runTime = ({ request }: Job) => Math.min(request.runTime ?? Infinity, this.options.callTime)

  private readonly dismiss = (reader: Reader): void => {
    this.readers.delete(reader)
    reader.process.kill()
  }

  /** `cost` is in microseconds. */
  private finish(reader: Reader, id: number, cost: number): Job | undefined {
    const job = reader.jobs.get(id)
    if (!job) return undefined
    reader.jobs.delete(id)
    reader.work = reader.jobs.size === 0 ? 0 : reader.work - job.expected
    this.countRunning(job, -1)
    this.costs.record(job.request.client, job.request.method, cost / 1000)
    this.begin(reader)
    return job
  }

  private handle(reader: Reader, message: FromReader): void {
    if (message.kind === 'ready') {
      reader.isReady = true
      reader.process.lowerPriority()
      this.failedStarts = 0
      // Only now does its first request run.
      if (reader.jobs.size > 0) this.begin(reader)
    } else if (message.kind === 'error') this.parts.onInternalError(message.text, message.method)
    else if (message.kind === 'printed') this.parts.onPrinted(message.text)
    else {
      this.finish(reader, message.id, message.cost)?.resolve(replyOf(message))
      this.giveOut()
    }
  }

  private lose(reader: Reader, how: string): void {
    reader.cancel()
    if (!this.readers.delete(reader)) return
    const [first, ...others] = reader.jobs.values()
    for (const job of reader.jobs.values()) this.countRunning(job, -1)
    // Anyone who kills readers from outside must not make requests fail that none has begun.
    if (!reader.isReady && how !== 'SIGKILL') this.failedStarts++
    const isHopeless = !reader.isReady && this.failedStarts >= maxFailedStarts
    // Those behind the first had not begun, and neither had any in a reader that was not ready.
    for (const job of reader.isReady || isHopeless ? others : reader.jobs.values()) this.waiting.putBack(job)
    if (first && (reader.isReady || isHopeless)) {
      const { client, method } = first.request
      this.costs.record(client, method, this.parts.now() - reader.began)
      const seconds = this.runTime(first) / 1000
      first.reject(new ReaderError(reader.isOverTime ? { code: 'TIME_LIMIT', seconds } : { code: 'READER_LOST' }))
    }
    this.parts.onLost({
      pid: reader.process.pid,
      how: reader.isOverTime ? 'a time limit' : how,
      method: first?.request.method,
    })
    if (isHopeless) {
      this.failedStarts = 0
      for (const job of this.waiting.drain()) job.reject(new ReaderError({ code: 'READER_LOST' }))
    }
    this.giveOut()
  }

  readonly ask: ReaderPool['ask'] = (request: ReaderRequest) =>
    new Promise<TimedReply>((resolve, reject) => {
      if (this.isStopped) throw new ReaderError({ code: 'STOPPING' })
      const expected = this.costs.expected(request.client, request.method)
      if (!this.waiting.add({ request, came: this.parts.now(), expected, resolve, reject }))
        throw new ReaderError({ code: 'QUEUE_FULL' })
      this.giveOut()
    })

  readonly counts: ReaderPool['counts'] = () => ({ running: this.readers.size, waiting: this.waiting.length })

  readonly stop: ReaderPool['stop'] = () => {
    this.isStopped = true
    const ending = [...this.readers]
    this.readers.clear()
    const left = ending.flatMap(({ jobs }) => [...jobs.values()])
    for (const reader of ending) {
      reader.cancel()
      reader.process.kill()
    }
    for (const job of [...left, ...this.waiting.drain()]) job.reject(new ReaderError({ code: 'STOPPING' }))
  }
}

/** Starts readers when they are needed, gives them requests in a fair order, and replaces those that end. */
export function createReaders(options: ReaderOptions, parts: ReaderParts): ReaderPool {
  return new ReaderProcesses(options, parts)
}

function replyOf(message: Extract<FromReader, { kind: 'reply' | 'file' }>): TimedReply {
  return {
    status: message.status,
    busy: message.cost / 1000,
    body: message.kind === 'reply' ? message.text : readReplyFile(message.text),
  }
}
