import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from './fault.ts'
import { openStore } from './openStore.ts'
import { applyPacked } from './packLayer.ts'
import { type WriterFault, type WriterStart, writerFailed } from './writeBehind.ts'

// The thread behind `openWriteBehind`: owns the store and writes one packed layer after the other, each in a transaction.
const { path, progress, port } = workerData as WriterStart

function tell(state: number): void {
  Atomics.store(progress, 0, state)
  Atomics.notify(progress, 0)
}

function fail(error: unknown): void {
  const fault: WriterFault = {
    fault: error instanceof StoreError ? error.at : undefined,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
  port.postMessage(fault)
  tell(writerFailed)
}

try {
  const store = openStore(path)
  let steps = 1
  port.on('message', (packed: Uint8Array | 'close') => {
    if (packed === 'close') {
      port.close()
      void store.close()
      return
    }
    // What was to come after something that is missing must not be written.
    if (Atomics.load(progress, 0) === writerFailed) return
    try {
      store.write((txn) => applyPacked(txn, packed))
      tell(++steps)
    } catch (error) {
      fail(error)
    }
  })
  tell(steps)
} catch (error) {
  fail(error)
  port.close()
}
parentPort!.postMessage('started')
