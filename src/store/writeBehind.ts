import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { workerUrl } from '../primitives/packageRoot.ts'
import { useAndClose } from '../primitives/useAndClose.ts'
import { StoreError, type StoreFault } from './fault.ts'
import { createLayer, type Layer } from './layer.ts'
import { createLayeredReader, type Layers } from './layeredReader.ts'
import { openStore, type Store } from './openStore.ts'
import { packLayer } from './packLayer.ts'
import type { Reader, Snapshot, Transaction } from './table.ts'

/** What the writer thread is started with. */
export interface WriterStart {
  readonly path: string
  /** One number: 0 until the store is open, then 1 and one more for each layer on disk; `writerFailed` after a fault. */
  readonly progress: Int32Array
  readonly port: MessagePort
}

export const writerFailed = -1

/** Why the writer thread stopped. */
export interface WriterFault {
  readonly fault: StoreFault | undefined
  readonly message: string
}

/** Transactions that may be on their way to the disk while another one is being made. */
const maxInFlight = 2

// Why imports write behind, and nothing else: docs/adr/0006-imports-write-behind.md.

/**
 * Opens a data directory as `openStore` does, for work that need not be on disk at once: `write` returns when the
 * transaction is made, and another thread writes it. Reads see it from then on. Transactions reach the disk in their order and
 * each of them wholly; a fault is thrown by one of the next calls, and what came after it is not on disk either.
 */
export async function openWriteBehind(path: string): Promise<Store> {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: writerPort } = new MessageChannel()
  const start: WriterStart = { path, progress, port: writerPort }
  const worker = new Worker(workerUrl('store/writeBehindWorker.ts'), {
    workerData: start,
    transferList: [writerPort],
    execArgv: [],
  })
  const exited = once(worker, 'exit')
  /** Not known to be on disk, oldest first. */
  let layers: readonly Layer[] = []
  let handedOver = 1
  /** The transaction that is being made. */
  let open: (Layers & { readonly layer: Layer }) | undefined

  let failure: Error | undefined

  function throwFailure(): never {
    if (!failure) {
      const { fault, message } = receiveMessageOnPort(port)!.message as WriterFault
      failure = fault ? new StoreError(fault) : new Error(`the store could not be written: ${message}`)
    }
    throw failure
  }

  /** Forgets what is on disk; waits until no more than `max` are on their way. */
  function settle(max: number): void {
    for (;;) {
      const state = Atomics.load(progress, 0)
      if (state === writerFailed) throwFailure()
      layers = layers.slice(layers.length - (handedOver - state))
      if (handedOver - state <= max) return
      Atomics.wait(progress, 0, state)
    }
  }

  // A thread that cannot start says so here.
  await once(worker, 'message')
  settle(0)
  const disk = openStore(path, { readOnly: true })

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

  const readers = new WeakSet<Reader>([txn])

  function openSnapshot(): Snapshot {
    settle(Number.POSITIVE_INFINITY)
    const snapshot = disk.openSnapshot()
    const below = { layers, disk: snapshot }
    const layered = { ...createLayeredReader(() => below), close: snapshot.close }
    readers.add(layered)
    return layered
  }

  return {
    path,
    // Nobody reads it outside of a transaction: no block is made or checked during an import from a file.
    latest: txn,
    owns: (reader) => readers.has(reader),
    read: (ask) => useAndClose(openSnapshot(), ask),
    openSnapshot,
    write(action) {
      if (open) throw new TypeError('write transactions do not nest')
      settle(maxInFlight)
      const layer = createLayer()
      const snapshot = disk.openSnapshot()
      open = { layers: [...layers, layer], layer, disk: snapshot }
      try {
        const result = action(txn)
        // The caller would go on writing after the end.
        if (result instanceof Promise) throw new TypeError('a write transaction is synchronous')
        const packed = packLayer(layer)
        port.postMessage(packed, [packed.buffer])
        layers = [...layers, layer]
        handedOver++
        return result
      } finally {
        open = undefined
        snapshot.close()
      }
    },
    flush: () => settle(0),
    forgetDeadReaders() {},
    async close() {
      try {
        settle(0)
      } finally {
        port.postMessage('close')
        await exited
        await disk.close()
      }
    },
  }
}
