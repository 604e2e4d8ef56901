import { parentPort, workerData } from 'node:worker_threads'
import type { AsideOrder, AsideResult, AsideStart } from './asideWriter.ts'
import { StoreError } from './fault.ts'
import { openForOwner } from './openStore.ts'
import { applyRows } from './rows.ts'

// The thread behind `startAsideWriter`: rows become a transaction that is on disk when the result is told.
const { path, owner, done, port } = workerData as AsideStart
const store = openForOwner(path, owner)

function carryOut(rows: AsideOrder): AsideResult {
  try {
    if (rows) store.write((txn) => applyRows(txn, rows))
    else store.release()
    return {}
  } catch (error) {
    return {
      fault: error instanceof StoreError ? error.at : undefined,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

port.on('message', (rows: AsideOrder) => {
  const result = carryOut(rows)
  // The result first: whoever waits for the count then finds it.
  if (rows) port.postMessage(result)
  Atomics.add(done, 0, 1)
  Atomics.notify(done, 0)
})
port.on('close', () => store.release())
parentPort!.postMessage('started')
