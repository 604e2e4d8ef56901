import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Address } from '../primitives/bytes.ts'
import { workerUrl } from '../primitives/packageRoot.ts'
import { recoverBatch, recoveryInputSize, recoveryOutputSize } from './recoverBatch.ts'

export interface RecoverPool {
  /** Returns the signer of each of the concatenated 97-byte inputs (`recoveryInput`), undefined if a signature is invalid. */
  recover(inputs: Uint8Array): Promise<(Address | undefined)[]>
  /** Ends the threads after their current work. */
  close(): Promise<void>
}

export interface RecoverPoolOptions {
  /** Maximum number of threads, started by the first batch that is large enough; 0 recovers in the caller's thread. */
  readonly threads?: number
}

interface Job {
  readonly inputs: Uint8Array
  readonly done: (senders: Uint8Array) => void
}

interface Thread {
  readonly worker: Worker
  /** Jobs that were sent and have no result yet; a worker returns results in order. */
  readonly jobs: Job[]
}

/** A batch below this size is done before a thread would have woken up. */
const smallBatch = 16
/** A thread's objects are garbage at once: a small young generation is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
const minPerJob = 64
const maxPerJob = 1024

/** Worker threads that recover senders, so that the event loop stays free for consensus and RPC. */
export function createRecoverPool({ threads = defaultThreads() }: RecoverPoolOptions = {}): RecoverPool {
  const running: Thread[] = []

  function start(): Thread {
    const worker = new Worker(workerUrl('recovery/recoverWorker.ts'), { resourceLimits })
    const thread: Thread = { worker, jobs: [] }
    worker.on('message', (senders: Uint8Array) => {
      thread.jobs.shift()?.done(senders)
      // An idle thread must not keep the process alive.
      if (thread.jobs.length === 0) worker.unref()
    })
    // If a thread ends early, its jobs are done in this thread; the next batch starts a new thread.
    worker.on('error', () => abandon(thread))
    worker.on('exit', () => abandon(thread))
    running.push(thread)
    return thread
  }

  function abandon(thread: Thread): void {
    const at = running.indexOf(thread)
    if (at >= 0) running.splice(at, 1)
    for (const { inputs, done } of thread.jobs.splice(0)) done(recoverBatch(inputs))
  }

  function leastBusy(): Thread {
    const idle = running.find((thread) => thread.jobs.length === 0)
    if (idle) return idle
    if (running.length < threads) return start()
    return running.reduce((a, b) => (b.jobs.length < a.jobs.length ? b : a))
  }

  function hand(inputs: Uint8Array): Promise<Uint8Array> {
    return new Promise((done) => {
      const thread = leastBusy()
      const copy = inputs.slice()
      thread.jobs.push({ inputs, done })
      thread.worker.ref()
      thread.worker.postMessage(copy, [copy.buffer as ArrayBuffer])
    })
  }

  return {
    async recover(inputs) {
      const count = inputs.length / recoveryInputSize
      if (threads === 0 || count < smallBatch) return unpack(recoverBatch(inputs))
      const share = Math.min(maxPerJob, Math.max(minPerJob, Math.ceil(count / threads)))
      const parts: Promise<Uint8Array>[] = []
      for (let at = 0; at < count; at += share)
        parts.push(hand(inputs.subarray(at * recoveryInputSize, (at + share) * recoveryInputSize)))
      return (await Promise.all(parts)).flatMap(unpack)
    },
    async close() {
      await Promise.all(running.map(({ worker }) => worker.terminate()))
    },
  }
}

function defaultThreads(): number {
  return Math.max(1, availableParallelism() - 1)
}

function unpack(senders: Uint8Array): (Address | undefined)[] {
  const list: (Address | undefined)[] = []
  for (let at = 0; at < senders.length; at += recoveryOutputSize)
    list.push(senders[at] === 1 ? (senders.slice(at + 1, at + recoveryOutputSize) as Address) : undefined)
  return list
}
