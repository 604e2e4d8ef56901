import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config/options.ts'
import { workerUrl } from '../../primitives/packageRoot.ts'

/** Megabytes of JavaScript objects of the thread: one that needs more ends, and another one takes its place. */
const resourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1024 }

/** Threads that servers run in; each is given out once. */
export interface ServerThreads {
  /** The thread that was started ahead, or another one. */
  take(): Worker
  /** Ends the thread that was started ahead, if nobody has taken it. */
  end(): Promise<void>
}

const start = (): Worker => new Worker(workerUrl('node/serving/serverWorker.ts'), { resourceLimits })

/**
 * Starts the thread of the servers, which loads its program while the node opens its chain; undefined where requests are served in
 * the thread of the chain.
 */
export function startServerThread(config: Config): ServerThreads | undefined {
  const isServing =
    config['rpc-http-enabled'] ||
    config['rpc-ws-enabled'] ||
    config['graphql-http-enabled'] ||
    config['ipc-path'] !== undefined ||
    config['explorer-enabled']
  if (config['rpc-servers'] === 0 || !isServing) return undefined
  let spare: Worker | undefined = start()
  // Its error goes to the one who takes the next one.
  spare.once('error', () => (spare = undefined))
  return {
    take() {
      const taken = spare ?? start()
      spare = undefined
      return taken
    },
    async end() {
      const left = spare
      spare = undefined
      if (!left) return
      const ended = once(left, 'exit')
      await left.terminate()
      await ended.catch(() => {})
    },
  }
}
