import type { MetricFamily, MetricValue } from '../metrics.ts'
import { fullName } from '../metricsText.ts'

/** A piece of work and when it was done, in milliseconds since 1970. */
export interface Span {
  readonly name: string
  readonly kind: 'server' | 'internal'
  readonly began: number
  readonly ended: number
  readonly attributes: Readonly<Record<string, string | number>>
}

type Attributes = readonly (readonly [key: string, value: string | number])[]

/** Numbers that only count have the same sum since the start. */
const cumulative = 2
const kinds = { internal: 1, server: 2 } as const
const scope = { name: 'quoin' }

/** 64-bit integers are texts in this JSON. */
const nanoseconds = (milliseconds: number) => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`

const attributesOf = (all: Attributes) =>
  all.map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))

const resourceOf = (resource: Attributes) => ({ attributes: attributesOf(resource) })

/** Metrics in the form of OTLP, with the names that Prometheus would read. */
export function metricsJson(families: readonly MetricFamily[], resource: Attributes, times: MetricTimes): string {
  const metrics = families.filter(({ values }) => values.length > 0).map((family) => metricOf(family, times))
  return JSON.stringify({ resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope, metrics }] }] })
}

/** When counting began, and now. */
export interface MetricTimes {
  readonly began: number
  readonly now: number
}

function metricOf(family: MetricFamily, { began, now }: MetricTimes): object {
  const { type, labels, values, help } = family
  const points = values.map(([labelValues, value]) => ({
    attributes: attributesOf(labels.map((label, i) => [label, labelValues[i] ?? ''])),
    startTimeUnixNano: nanoseconds(began),
    timeUnixNano: nanoseconds(now),
    ...numbersOf(value),
  }))
  const named = { name: fullName(family), description: help }
  if (type === 'gauge') return { ...named, gauge: { dataPoints: points } }
  if (type === 'summary') return { ...named, summary: { dataPoints: points } }
  const sums = { dataPoints: points, aggregationTemporality: cumulative }
  return type === 'counter' ? { ...named, sum: { ...sums, isMonotonic: true } } : { ...named, histogram: sums }
}

function numbersOf(value: MetricValue): object {
  if (typeof value === 'number') return { asDouble: value }
  const { bounds, counts, count, sum } = value
  const all = { count: String(count), sum }
  return bounds.length === 0 ? all : { ...all, bucketCounts: counts.map(String), explicitBounds: bounds }
}

/** Spans in the form of OTLP; `newId` returns so many random bytes in hexadecimal. */
export function spansJson(spans: readonly Span[], resource: Attributes, newId: (bytes: number) => string): string {
  const all = spans.map(({ name, kind, began, ended, attributes }) => ({
    traceId: newId(16),
    spanId: newId(8),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(began),
    endTimeUnixNano: nanoseconds(ended),
    attributes: attributesOf(Object.entries(attributes)),
    status: {},
  }))
  return JSON.stringify({ resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: all }] }] })
}
