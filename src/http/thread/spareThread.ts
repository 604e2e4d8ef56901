import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../primitives/packageRoot.ts'

/** Megabytes of JavaScript objects; what is received and sent lies outside. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

/** Starts a thread that will hold the connections of a port. It listens when it gets `PortThreadData`. */
export const startPortWorker = (): Worker => new Worker(workerUrl('http/thread/portWorker.ts'), { resourceLimits })

/** A thread for a port that was started ahead: it starts while the node is loaded and opens its chain. */
export interface SpareThread {
  /** Gives the thread to the first who asks. */
  take(): Worker | undefined
  /** Ends it if nobody has asked. */
  end(): Promise<void>
}

export function startSpareThread(): SpareThread {
  let worker: Worker | undefined = startPortWorker()
  // Whoever needs it starts another one, and hears why if that fails, too.
  worker.once('error', take)
  worker.once('exit', take)

  function take(): Worker | undefined {
    const taken = worker
    worker = undefined
    return taken
  }

  return {
    take,
    async end() {
      await take()?.terminate()
    },
  }
}
