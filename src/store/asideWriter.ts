import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { workerUrl } from '../primitives/packageRoot.ts'
import { StoreError, type StoreFault } from './fault.ts'
import type { Owner } from './owner.ts'

/** What the thread is started with. */
export interface AsideStart {
  readonly path: string
  readonly owner: Owner
  /** One number: how many orders were carried out. */
  readonly done: Int32Array
  readonly port: MessagePort
}

/** Rows that are to be written as one transaction; undefined lets go of the file. */
export type AsideOrder = Uint8Array<ArrayBuffer> | undefined

/** What came of an order. */
export interface AsideResult {
  readonly fault?: StoreFault | undefined
  /** Undefined if it is on disk. */
  readonly message?: string | undefined
}

/** A thread that writes one transaction at a time, while this one goes on. */
export interface AsideWriter {
  /** Whether something is being written, or the thread has died. */
  isBusy(): boolean
  /** Calls `ended` once the rows are on disk, or with what prevented it. */
  write(rows: Uint8Array<ArrayBuffer>, ended: (failure: Error | undefined) => void): void
  /** Waits until nothing is being written; what was has then ended. */
  settle(): void
  /** Lets go of the file until the next write. */
  release(): void
  close(): Promise<void>
}

/** Milliseconds until a thread is taken for dead: disks that are full of work take seconds. */
const maxWait = 120_000

/** Starts the thread, which writes to the store that `owner` has opened. */
export async function startAsideWriter(path: string, owner: Owner): Promise<AsideWriter> {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: writerPort } = new MessageChannel()
  const start: AsideStart = { path, owner, done, port: writerPort }
  const worker = new Worker(workerUrl('store/asideWorker.ts'), {
    workerData: start,
    transferList: [writerPort],
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const exited = once(worker, 'exit')
  // A thread that cannot start says so here.
  await once(worker, 'message')
  worker.unref()
  let ordered = 0
  let isDead = false
  let ended: ((failure: Error | undefined) => void) | undefined

  function end({ message, fault }: AsideResult): void {
    const tell = ended
    ended = undefined
    tell?.(message === undefined ? undefined : fault ? new StoreError(fault) : new Error(message))
  }

  function order(rows: AsideOrder): void {
    ordered++
    port.postMessage(rows, rows ? [rows.buffer] : [])
  }

  function settle(): void {
    while (!isDead && Atomics.load(done, 0) !== ordered)
      if (Atomics.wait(done, 0, ordered - 1, maxWait) === 'timed-out')
        throw new Error('the thread that writes to the store does not answer')
    const result = receiveMessageOnPort(port)
    if (result) end(result.message as AsideResult)
  }

  port.on('message', end)
  port.unref()
  // A fault that the thread did not foresee: what it wrote last is not known to be on disk.
  worker.once('error', (error) => {
    isDead = true
    end({ message: error instanceof Error ? error.message : String(error) })
  })

  return {
    isBusy: () => isDead || ended !== undefined,
    write(rows, tell) {
      if (ended) throw new TypeError('another transaction is being written')
      ended = tell
      order(rows)
    },
    settle,
    release() {
      settle()
      if (isDead) return
      order(undefined)
      settle()
    },
    async close() {
      settle()
      port.close()
      await exited
    },
  }
}
