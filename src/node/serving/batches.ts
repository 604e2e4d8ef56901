import type { MessagePort, Worker } from 'node:worker_threads'

/** Posts what is put in one turn of the event loop as one message: a message costs more than what is in it. */
export interface Batches<M> {
  put(message: M): void
  /** Posts what waits, at once. */
  flush(): void
}

export function createBatches<M>(port: Pick<MessagePort | Worker, 'postMessage'>): Batches<M> {
  let waiting: M[] = []

  function flush(): void {
    if (waiting.length === 0) return
    const messages = waiting
    waiting = []
    port.postMessage(messages)
  }

  return {
    put(message) {
      if (waiting.push(message) === 1) setImmediate(flush)
    },
    flush,
  }
}
