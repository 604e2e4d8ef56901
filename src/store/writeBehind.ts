import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  MessageChannel,
  type MessagePort,
  type ResourceLimits,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads'
import { workerUrl } from '../primitives/packageRoot.ts'
import { StoreError, type StoreFault } from './fault.ts'
import { createLayer, type Layer } from './layer.ts'
import type { Layers } from './layeredReader.ts'
import { createLayerMemory } from './layerMemory.ts'
import { createLayerTransaction } from './layerTransaction.ts'
import type { Owner } from './owner.ts'
import { type PackedLayer, packLayer } from './packLayer.ts'
import type { Snapshot, Transaction } from './table.ts'

// Who writes behind, and why nobody else does: docs/adr/0006-imports-write-behind.md.

/**
 * Transactions that another thread writes, for work that need not be on disk at once. They reach the disk in their order and each
 * of them wholly; after a fault nothing is written any more, and every call throws it.
 */
export interface WriteBehind {
  /** The transaction that `write` passes on. */
  readonly txn: Transaction
  /** Returns when the transaction is made. It sees those before it; nobody else does until they are on disk. */
  write<T>(action: (txn: Transaction) => T): T
  /** Transactions that were made. */
  made(): number
  /** How many of them are on disk. */
  onDisk(): number
  /** Resolves when no more than `max` of them are on their way. */
  settle(max: number): Promise<void>
  /** Returns when all of them are on disk. */
  flush(): void
  /** Has the thread close its file, when all of them are on disk, until it writes again; does nothing after a fault. */
  unmap(): void
  /** Calls the listener when more of them are on disk. */
  onProgress(listener: () => void): void
  /** Ends the thread, after all of them are on disk. */
  close(): Promise<void>
}

/** The store that is written to. */
export interface WriteBehindParts {
  readonly path: string
  readonly owner: Owner
  openSnapshot(): Snapshot
}

/** What the writer thread is started with. */
export interface WriterStart extends Pick<WriteBehindParts, 'path' | 'owner'> {
  /** One number: how many messages were dealt with; `writerFailed` after a fault. */
  readonly progress: Int32Array
  readonly port: MessagePort
}

/** What it is ordered: to write a layer, to close its file. */
export type WriterOrder = PackedLayer | 'unmap'

export const writerFailed = -1

/** Why it stopped. */
export interface WriterFault {
  readonly fault: StoreFault | undefined
  readonly message: string
}

/** What it says when it has started: where the system shows that it runs, if it does. */
export type WriterStarted = { readonly shownAt: string | undefined }

/** How long one who waits for the thread sleeps before it looks whether there still is one. */
const lookMilliseconds = 500
/** Where the system does not show threads: no order takes longer. */
const maxOrderMilliseconds = 600_000

/** It sorts and puts many small keys and keeps none. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** The thread, as it has started. */
interface RunningWriter extends Pick<WriteBehindParts, 'path' | 'openSnapshot'>, WriterStarted {
  readonly worker: Worker
  readonly port: MessagePort
  /** Number of the last order that was dealt with. */
  readonly progress: Int32Array<SharedArrayBuffer>
  readonly exited: Promise<void>
}

/** Transactions whose layers are on their way to disk, oldest first, and how far the thread has come. */
class WriterThread implements WriteBehind {
  private readonly writer: RunningWriter
  /** Layers that are not known to be on disk, oldest first, each with the number of its order. */
  private layers: readonly { readonly layer: Layer; readonly order: number }[] = []
  private readonly memory = createLayerMemory()
  private madeCount = 0
  private orders = 0
  /** The transaction that is being made. */
  private open: (Layers & { readonly layer: Layer }) | undefined
  private failure: Error | undefined
  private isClosing = false
  private isGone = false
  private readonly listeners = new Set<() => void>()
  readonly txn: Transaction

  constructor(writer: RunningWriter) {
    this.writer = writer
    this.txn = createLayerTransaction(this.current)
    writer.worker.on('error', (error) => this.fail(error.message))
    writer.worker.on('exit', () => {
      if (!this.isClosing) this.fail('it ended')
    })
    writer.port.on('message', (message) => {
      this.take(message)
      this.notifyListeners()
    })
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener()
  }

  /** A thread that runs out of memory reports nothing itself. */
  private fail(reason: string): void {
    this.isGone = true
    this.failure ??= new StoreError({ code: 'WRITER_ENDED', path: this.writer.path, reason })
    this.notifyListeners()
  }

  private take(message: WriterFault | 'done'): void {
    if (message === 'done') return
    const { fault, message: reason } = message
    this.failure ??= fault ? new StoreError(fault) : new Error(`the store could not be written: ${reason}`)
  }

  /** Forgets the layers that are on disk. */
  private look(): void {
    const done = Atomics.load(this.writer.progress, 0)
    while (done === writerFailed && !this.failure) this.take(receiveMessageOnPort(this.writer.port)!.message)
    if (this.failure) throw this.failure
    // A transaction that is open still reads what was on its way when it began.
    if (this.open) return
    for (const { layer, order } of this.layers) if (order <= done) layer.end()
    this.layers = this.layers.filter(({ order }) => order > done)
  }

  /** Returns when all orders were dealt with, or after a fault. The thread's end is no event here, as the event loop does not turn. */
  private wait(): void {
    let since = performance.now()
    for (;;) {
      const isRunning = this.writer.shownAt === undefined || existsSync(this.writer.shownAt)
      const done = Atomics.load(this.writer.progress, 0)
      if (done === writerFailed || done === this.orders || this.failure) return
      const isLate = performance.now() - since > maxOrderMilliseconds
      if (!isRunning || (this.writer.shownAt === undefined && isLate))
        this.fail(isRunning ? 'it does not go on' : 'it ended')
      else if (Atomics.wait(this.writer.progress, 0, done, lookMilliseconds) !== 'timed-out') since = performance.now()
    }
  }

  private post(order: WriterOrder): void {
    this.orders++
    this.writer.port.postMessage(order)
  }

  private readonly current = () => {
    if (!this.open) throw new TypeError('a transaction was used after its end')
    return this.open
  }

  readonly write: WriteBehind['write'] = (action) => {
    this.look()
    const layer = createLayer(this.memory)
    const disk = this.writer.openSnapshot()
    this.open = { layers: [...this.layers.map((one) => one.layer), layer], layer, disk }
    try {
      const result = action(this.txn)
      // The caller would go on writing after the end.
      if (result instanceof Promise) throw new TypeError('a write transaction is synchronous')
      this.post(packLayer(layer))
      this.layers = [...this.layers, { layer, order: this.orders }]
      this.madeCount++
      return result
    } catch (error) {
      layer.end()
      throw error
    } finally {
      this.open = undefined
      disk.close()
    }
  }

  readonly made: WriteBehind['made'] = () => this.madeCount

  readonly onDisk: WriteBehind['onDisk'] = () => {
    this.look()
    return this.madeCount - this.layers.length
  }

  readonly settle: WriteBehind['settle'] = (max) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        try {
          this.look()
          if (this.layers.length > max) return
          resolve()
        } catch (error) {
          reject(error)
        }
        this.listeners.delete(check)
      }
      this.listeners.add(check)
      check()
    })

  readonly flush: WriteBehind['flush'] = () => {
    this.wait()
    this.look()
  }

  readonly unmap: WriteBehind['unmap'] = () => {
    if (this.isClosing) return
    this.post('unmap')
    this.wait()
  }

  readonly onProgress: WriteBehind['onProgress'] = (listener) => void this.listeners.add(listener)

  readonly close: WriteBehind['close'] = async () => {
    try {
      await this.settle(0)
    } finally {
      // Not an order that others, who may write before the thread has ended, would wait for.
      this.isClosing = true
      this.writer.port.postMessage('close')
      if (!this.isGone) await this.writer.exited
      this.writer.port.close()
    }
  }
}

function createWriteBehind(writer: RunningWriter): WriteBehind {
  return new WriterThread(writer)
}

/** Starts the thread, which runs `program`. */
export async function openWriteBehind(
  { path, owner, openSnapshot }: WriteBehindParts,
  program: URL = workerUrl('store/writeBehindWorker.ts'),
  limits: ResourceLimits = resourceLimits,
): Promise<WriteBehind> {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: writerPort } = new MessageChannel()
  const start: WriterStart = { path, owner, progress, port: writerPort }
  const worker = new Worker(program, {
    workerData: start,
    transferList: [writerPort],
    execArgv: [],
    resourceLimits: limits,
  })
  const exited = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
  // A thread that cannot start says so here.
  const [{ shownAt }] = (await once(worker, 'message')) as [WriterStarted]
  return createWriteBehind({ path, openSnapshot, worker, port, progress, exited, shownAt })
}
