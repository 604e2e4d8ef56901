import { OtlpError } from './fault.ts'

/** Where one kind of telemetry goes. */
export interface OtlpTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds that a push may take. */
  readonly timeout: number
}

export interface OtlpSettings {
  /** Undefined where there is no interest in them. */
  readonly metrics: OtlpTarget | undefined
  readonly traces: OtlpTarget | undefined
  /** Milliseconds between pushes. */
  readonly metricsInterval: number
  readonly tracesInterval: number
  /** Spans that may wait; further ones are dropped. */
  readonly maxSpans: number
  /** Share of spans that are recorded. */
  readonly sampled: number
  /** What the node is called, and what else is known of it. */
  readonly resource: readonly (readonly [key: string, value: string])[]
}

type Environment = Readonly<Record<string, string | undefined>>
type Kind = 'METRICS' | 'TRACES'

const defaultEndpoint = 'http://localhost:4318'
const paths = { METRICS: 'v1/metrics', TRACES: 'v1/traces' } as const

/** Texts that are set and not empty, as OpenTelemetry asks for. */
const reader = (environment: Environment) => (name: string) => environment[name]?.trim() || undefined
type Read = ReturnType<typeof reader>

function fail(name: string, reason: string): never {
  throw new OtlpError({ code: 'OTLP_VARIABLE', name, reason })
}

function numberOf(read: Read, name: string, fallback: number): number {
  const text = read(name)
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text)) fail(name, `expected a number but was '${text}'`)
  return Number(text)
}

function urlOf(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    fail(name, `expected an http or https address but was '${text}'`)
  return url!
}

/** Pairs such as `a=1,b=2`, whose values may be percent-encoded. */
function pairsOf(name: string, text: string): [string, string][] {
  return text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) fail(name, `expected KEY=VALUE,… but was '${text}'`)
      try {
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
      } catch {
        return fail(name, `'${pair}' is not percent-encoded`)
      }
    })
}

function headersOf(read: Read, kind: Kind): Readonly<Record<string, string>> {
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', `OTEL_EXPORTER_OTLP_${kind}_HEADERS`]
  return Object.fromEntries(names.flatMap((name) => pairsOf(name, read(name) ?? '')))
}

function checkProtocol(read: Read, kind: Kind): void {
  for (const name of [`OTEL_EXPORTER_OTLP_${kind}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const protocol = read(name)
    if (protocol !== undefined && protocol !== 'http/json')
      fail(
        name,
        `only http/json is spoken here, which collectors take at the port of http/protobuf (4318), but was '${protocol}'`,
      )
  }
}

function targetOf(read: Read, kind: Kind): OtlpTarget | undefined {
  const exporter = `OTEL_${kind}_EXPORTER`
  const wanted = read(exporter) ?? 'otlp'
  if (wanted === 'none') return undefined
  if (wanted !== 'otlp') fail(exporter, `expected otlp or none but was '${wanted}'`)
  checkProtocol(read, kind)
  const own = `OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`
  const whole = read(own)
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT') ?? defaultEndpoint
  const { href } = urlOf('OTEL_EXPORTER_OTLP_ENDPOINT', base)
  const url = whole === undefined ? new URL(`${href.replace(/\/+$/, '')}/${paths[kind]}`) : urlOf(own, whole)
  const usual = numberOf(read, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000)
  return { url, headers: headersOf(read, kind), timeout: numberOf(read, `OTEL_EXPORTER_OTLP_${kind}_TIMEOUT`, usual) }
}

function sampledOf(read: Read): number {
  const name = 'OTEL_TRACES_SAMPLER'
  const sampler = (read(name) ?? 'always_on').replace(/^parentbased_/, '')
  if (sampler === 'always_on') return 1
  if (sampler === 'always_off') return 0
  if (sampler !== 'traceidratio') fail(name, `expected always_on, always_off or traceidratio but was '${sampler}'`)
  const text = read('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const share = Number(text)
  if (!(share >= 0 && share <= 1)) fail('OTEL_TRACES_SAMPLER_ARG', `expected a number from 0 to 1 but was '${text}'`)
  return share
}

function resourceOf(read: Read, version: string): OtlpSettings['resource'] {
  const own = { 'service.name': 'quoin', 'service.version': version }
  const given = pairsOf('OTEL_RESOURCE_ATTRIBUTES', read('OTEL_RESOURCE_ATTRIBUTES') ?? '')
  const name = read('OTEL_SERVICE_NAME')
  return Object.entries({ ...own, ...Object.fromEntries(given), ...(name !== undefined && { 'service.name': name }) })
}

/** What the variables of OpenTelemetry say, which Besu reads too; throws where one of them is wrong. */
export function otlpSettingsOf(environment: Environment, version: string): OtlpSettings {
  const read = reader(environment)
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true'
  return {
    metrics: isOff ? undefined : targetOf(read, 'METRICS'),
    traces: isOff ? undefined : targetOf(read, 'TRACES'),
    metricsInterval: Math.max(100, numberOf(read, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000)),
    tracesInterval: Math.max(100, numberOf(read, 'OTEL_BSP_SCHEDULE_DELAY', 5000)),
    maxSpans: numberOf(read, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048),
    sampled: sampledOf(read),
    resource: resourceOf(read, version),
  }
}
