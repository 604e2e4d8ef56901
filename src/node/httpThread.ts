import type { Config } from '../config/options.ts'
import { type SpareThread, startSpareThread } from '../http/thread/spareThread.ts'

/**
 * Starts the thread that will hold the connections of JSON-RPC over HTTP; undefined where the node does that itself: on a development
 * network nothing is so long that the next question would wait, and memory counts.
 */
export function startHttpThread(config: Config): SpareThread | undefined {
  const isDev = config['genesis-file'] === undefined
  return config['rpc-http-enabled'] && config['rpc-readers'] > 0 && !isDev ? startSpareThread() : undefined
}
