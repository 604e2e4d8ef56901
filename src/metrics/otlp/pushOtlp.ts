import { randomBytes } from 'node:crypto'
import { createHttpClient } from '../../http/client/httpClient.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { MetricFamily } from '../metrics.ts'
import { metricsJson, type Span, spansJson } from './otlpJson.ts'
import type { OtlpSettings, OtlpTarget } from './otlpSettings.ts'

export interface OtlpParts {
  readonly clock: Clock
  readonly log: Logger
  /** The metrics as they are now. */
  families(): readonly MetricFamily[]
  random?: () => number
}

/** Telemetry on its way to a collector. */
export interface OtlpPush {
  /** Notes a piece of work; costs next to nothing, whatever the collector does. */
  span(span: Span): void
  /** Pushes what is left, for a second at most. */
  stop(): Promise<void>
}

/** Spans of one push. */
const maxBatch = 512
/** Milliseconds between two lines about a collector that does not answer. */
const quietTime = 60_000
const lastTime = 1000
const maxAnswer = 1 << 20

type Send = (body: string, signal?: AbortSignal) => Promise<void>

function createSender(what: string, { url, headers, timeout }: OtlpTarget, { clock, log }: OtlpParts): Send {
  const client = createHttpClient({ keepAlive: false })
  let quietUntil = 0
  function complain(reason: string): void {
    if (clock.now() < quietUntil) return
    quietUntil = clock.now() + quietTime
    log.warn({ url: url.href, reason }, `${what} could not be pushed to {url}: {reason}`)
  }
  const all = { ...headers, 'content-type': 'application/json' }
  return async (body, signal) => {
    try {
      const { status } = await client.ask(url, { method: 'POST', body, headers: all }, { maxAnswer, timeout, signal })
      if (status < 200 || status > 299) complain(`status ${status}`)
      else quietUntil = 0
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
    }
  }
}

/** Does something again and again, each time when the last one has come to its end and some time has passed. */
function repeat(interval: number, clock: Clock, act: () => Promise<void>): () => void {
  let isEnded = false
  let cancel = clock.after(interval, again)
  function again(): void {
    void act().then(() => {
      if (!isEnded) cancel = clock.after(interval, again)
    })
  }
  return () => {
    isEnded = true
    cancel()
  }
}

const newId = (bytes: number) => randomBytes(bytes).toString('hex')

/** Pushes metrics and traces in the JSON form of OTLP. One push of each kind is on its way at a time, and what a slow collector has no time for is dropped. */
export function pushOtlp(settings: OtlpSettings, parts: OtlpParts): OtlpPush {
  const { clock, log, random = Math.random } = parts
  const { metrics, traces, resource, sampled, maxSpans } = settings
  const began = clock.now()
  let spans: Span[] = []
  let dropped = 0
  const sendMetrics = metrics && createSender('metrics', metrics, parts)
  const sendTraces = traces && createSender('traces', traces, parts)

  const pushMetrics = async (signal?: AbortSignal): Promise<void> =>
    sendMetrics?.(metricsJson(parts.families(), resource, { began, now: clock.now() }), signal)

  async function pushTraces(signal?: AbortSignal): Promise<void> {
    const all = spans
    spans = []
    if (dropped > 0) log.debug({ dropped }, 'spans were dropped: too many came between two pushes')
    dropped = 0
    for (let at = 0; at < all.length && !signal?.aborted; at += maxBatch)
      await sendTraces?.(spansJson(all.slice(at, at + maxBatch), resource, newId), signal)
  }

  const ends: (() => void)[] = []
  if (metrics) ends.push(repeat(settings.metricsInterval, clock, pushMetrics))
  if (traces) ends.push(repeat(settings.tracesInterval, clock, pushTraces))
  return {
    span(span) {
      if (!traces || (sampled < 1 && random() >= sampled)) return
      if (spans.length < maxSpans) spans.push(span)
      else dropped++
    },
    async stop() {
      for (const end of ends) end()
      const signal = AbortSignal.timeout(lastTime)
      await Promise.all([pushMetrics(signal), pushTraces(signal)])
    },
  }
}
