import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from './fault.ts'
import { openStore } from './openStore.ts'
import { applyPacked } from './packLayer.ts'
import type { Store } from './store.ts'
import {
  type WriterFault,
  type WriterOrder,
  type WriterStart,
  type WriterStarted,
  writerFailed,
} from './writeBehind.ts'

// The thread behind `openWriteBehind`: writes one packed layer after the other, each in a transaction.
const { path, owner, progress, port } = workerData as WriterStart

/** Opened when there is something to write. */
let store: Store | undefined
let done = 0

function setProgress(state: number): void {
  Atomics.store(progress, 0, state)
  Atomics.notify(progress, 0)
}

// The receiver of the message looks at the progress …
function tellDone(): void {
  setProgress(++done)
  port.postMessage('done')
}

// … and the one that sees a fault in the progress takes the message.
function tellFault(error: unknown): void {
  const fault: WriterFault = {
    fault: error instanceof StoreError ? error.at : undefined,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
  port.postMessage(fault)
  setProgress(writerFailed)
}

function closeStore(): void {
  void store?.close()
  store = undefined
}

function handleOrder(order: WriterOrder): void {
  if (order === 'unmap') closeStore()
  else {
    store ??= openStore(path, { owner })
    store.write((txn) => applyPacked(txn, order))
  }
}

port.on('message', (order: WriterOrder | 'close') => {
  if (order === 'close') {
    closeStore()
    port.close()
    return
  }
  // What was to come after something that is missing must not be written.
  if (Atomics.load(progress, 0) === writerFailed) return
  try {
    handleOrder(order)
    tellDone()
  } catch (error) {
    tellFault(error)
  }
})

/** Linux shows each thread of a process as a folder. */
function whereShown(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}`
  } catch {
    return undefined
  }
}

const started: WriterStarted = { shownAt: whereShown() }
parentPort!.postMessage(started)
