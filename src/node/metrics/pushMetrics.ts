import type { Clock } from '../../primitives/clock.ts'
import type { Logger } from '../../primitives/logger.ts'

export interface PushOptions {
  readonly host: string
  readonly port: number
  readonly seconds: number
  readonly job: string
}

/** Sends measures to a Prometheus push gateway from time to time; gives a way to stop, after which its copy is gone. */
export function pushMetrics(options: PushOptions, read: () => string, clock: Clock, log: Logger): () => Promise<void> {
  const url = `http://${options.host}:${options.port}/metrics/job/${encodeURIComponent(options.job)}`
  const ended = new AbortController()
  let cancel = clock.after(0, push)

  async function send(init: RequestInit): Promise<void> {
    try {
      const { ok, status } = await fetch(url, init)
      if (!ok) log.warn({ url, status }, 'measures were refused')
    } catch (error) {
      if (!ended.signal.aborted) log.warn({ url, error: String(error) }, 'measures could not be sent')
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
