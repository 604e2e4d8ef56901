import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

export interface PushOptions {
  readonly host: string
  readonly port: number
  readonly seconds: number
  readonly job: string
}

/** Pushes metrics to a Prometheus gateway at intervals; returns a function that stops and deletes them there. */
export function pushMetrics(options: PushOptions, read: () => string, clock: Clock, log: Logger): () => Promise<void> {
  const url = `http://${options.host}:${options.port}/metrics/job/${encodeURIComponent(options.job)}`
  const ended = new AbortController()
  let cancel = clock.after(0, push)

  async function send(init: RequestInit): Promise<void> {
    try {
      const { ok, status } = await fetch(url, init)
      if (!ok) log.warn({ url, status }, 'push gateway refused the metrics')
    } catch (error) {
      if (!ended.signal.aborted) log.warn({ url, error: String(error) }, 'metrics could not be pushed')
    }
  }

  async function push(): Promise<void> {
    await send({ method: 'PUT', body: read(), headers: { 'Content-Type': 'text/plain' }, signal: ended.signal })
    if (!ended.signal.aborted) cancel = clock.after(1000 * options.seconds, push)
  }

  return async () => {
    cancel()
    ended.abort()
    await send({ method: 'DELETE', signal: AbortSignal.timeout(1000) })
  }
}
