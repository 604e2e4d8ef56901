import { createHttpClient, type HttpRequest } from '../http/client/httpClient.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

export interface PushOptions {
  readonly host: string
  readonly port: number
  readonly seconds: number
  readonly job: string
}

/** Bytes of the longest answer that is read. */
const maxAnswer = 1 << 20

/** Pushes metrics to a Prometheus gateway at intervals; returns a function that stops and deletes them there. */
export function pushMetrics(options: PushOptions, read: () => string, clock: Clock, log: Logger): () => Promise<void> {
  const url = `http://${options.host}:${options.port}/metrics/job/${encodeURIComponent(options.job)}`
  const client = createHttpClient({ keepAlive: false })
  const ended = new AbortController()
  let cancel = clock.after(0, push)

  async function send(request: HttpRequest, signal: AbortSignal): Promise<void> {
    try {
      const { status } = await client.ask(new URL(url), request, { maxAnswer, signal })
      if (status < 200 || status > 299) log.warn({ url, status }, 'push gateway refused the metrics')
    } catch (error) {
      if (!ended.signal.aborted) log.warn({ url, error: String(error) }, 'metrics could not be pushed')
    }
  }

  async function push(): Promise<void> {
    await send({ method: 'PUT', body: read(), headers: { 'content-type': 'text/plain' } }, ended.signal)
    if (!ended.signal.aborted) cancel = clock.after(1000 * options.seconds, push)
  }

  return async () => {
    cancel()
    ended.abort()
    await send({ method: 'DELETE' }, AbortSignal.timeout(1000))
  }
}
