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
import { createLayeredReader, type Layers } from './layeredReader.ts'
import { createLayerMemory } from './layerMemory.ts'
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
  letGo(): void
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

/** What it is told: to write a layer, to close its file. */
export type WriterOrder = PackedLayer | 'letGo'

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
  /** Layers that are not known to be on disk, oldest first, each with the number of its order. */
  let layers: readonly { readonly layer: Layer; readonly order: number }[] = []
  const memory = createLayerMemory()
  let made = 0
  let orders = 0
  /** The transaction that is being made. */
  let open: (Layers & { readonly layer: Layer }) | undefined
  let failure: Error | undefined
  let isClosing = false
  let isGone = false
  const listeners = new Set<() => void>()

  function tellListeners(): void {
    for (const listener of [...listeners]) listener()
  }

  /** A thread that runs out of memory tells nothing itself. */
  function fail(reason: string): void {
    isGone = true
    failure ??= new StoreError({ code: 'WRITER_ENDED', path, reason })
    tellListeners()
  }

  function take(message: WriterFault | 'done'): void {
    if (message === 'done') return
    const { fault, message: reason } = message
    failure ??= fault ? new StoreError(fault) : new Error(`the store could not be written: ${reason}`)
  }

  /** Forgets the layers that are on disk. */
  function look(): void {
    const done = Atomics.load(progress, 0)
    while (done === writerFailed && !failure) take(receiveMessageOnPort(port)!.message)
    if (failure) throw failure
    // A transaction that is open still reads what was on its way when it began.
    if (open) return
    for (const { layer, order } of layers) if (order <= done) layer.end()
    layers = layers.filter(({ order }) => order > done)
  }

  /** Returns when all orders were dealt with, or after a fault. The thread's end is no event here, as the event loop does not turn. */
  function wait(): void {
    let since = performance.now()
    for (;;) {
      const isRunning = shownAt === undefined || existsSync(shownAt)
      const done = Atomics.load(progress, 0)
      if (done === writerFailed || done === orders || failure) return
      const isLate = performance.now() - since > maxOrderMilliseconds
      if (!isRunning || (shownAt === undefined && isLate)) fail(isRunning ? 'it does not go on' : 'it ended')
      else if (Atomics.wait(progress, 0, done, lookMilliseconds) !== 'timed-out') since = performance.now()
    }
  }

  function tell(order: WriterOrder): void {
    orders++
    port.postMessage(order)
  }

  function current() {
    if (!open) throw new TypeError('a transaction was used after its end')
    return open
  }

  const txn: Transaction = {
    ...createLayeredReader(current),
    put: (table, key, value) => current().layer.put(table, table.key.encode(key), table.value.encode(value), false),
    append: (table, key, value) => current().layer.put(table, table.key.encode(key), table.value.encode(value), true),
    remove: (table, key) => current().layer.remove(table, table.key.encode(key)),
  }

  const behind: WriteBehind = {
    txn,
    write(action) {
      look()
      const layer = createLayer(memory)
      const disk = openSnapshot()
      open = { layers: [...layers.map((one) => one.layer), layer], layer, disk }
      try {
        const result = action(txn)
        // The caller would go on writing after the end.
        if (result instanceof Promise) throw new TypeError('a write transaction is synchronous')
        tell(packLayer(layer))
        layers = [...layers, { layer, order: orders }]
        made++
        return result
      } catch (error) {
        layer.end()
        throw error
      } finally {
        open = undefined
        disk.close()
      }
    },
    made: () => made,
    onDisk() {
      look()
      return made - layers.length
    },
    settle: (max) =>
      new Promise((resolve, reject) => {
        function check(): void {
          try {
            look()
            if (layers.length > max) return
            resolve()
          } catch (error) {
            reject(error)
          }
          listeners.delete(check)
        }
        listeners.add(check)
        check()
      }),
    flush() {
      wait()
      look()
    },
    letGo() {
      if (isClosing) return
      tell('letGo')
      wait()
    },
    onProgress: (listener) => void listeners.add(listener),
    async close() {
      try {
        await behind.settle(0)
      } finally {
        // Not an order that others, who may write before the thread has ended, would wait for.
        isClosing = true
        port.postMessage('close')
        if (!isGone) await exited
        port.close()
      }
    },
  }

  // A thread that cannot start says so here.
  const [{ shownAt }] = (await once(worker, 'message')) as [WriterStarted]
  worker.on('error', (error) => fail(error.message))
  worker.on('exit', () => {
    if (!isClosing) fail('it ended')
  })
  port.on('message', (message) => {
    take(message)
    tellListeners()
  })
  return behind
}
