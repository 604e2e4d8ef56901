import { expect, test } from 'vitest'
import { otlpSettingsOf } from './otlpSettings.ts'

const of = (environment: Record<string, string>) => otlpSettingsOf(environment, 'quoin/1')

test('without variables a collector on this machine gets everything', () => {
  const { metrics, traces, metricsInterval, sampled, resource } = of({})
  expect([metrics!.url.href, traces!.url.href]).toEqual([
    'http://localhost:4318/v1/metrics',
    'http://localhost:4318/v1/traces',
  ])
  expect([metrics!.timeout, metricsInterval, sampled]).toEqual([10_000, 60_000, 1])
  expect(Object.fromEntries(resource)).toMatchObject({ 'service.name': 'quoin', 'service.version': 'quoin/1' })
})

test('the variables of OpenTelemetry are honoured', () => {
  const { metrics, traces, metricsInterval, tracesInterval, maxSpans, sampled, resource } = of({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/otlp/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo/own',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=a',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=b',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=other',
    OTEL_SERVICE_NAME: 'validator-1',
  })
  expect([metrics!.url.href, traces!.url.href]).toEqual(['https://collector:4318/otlp/v1/metrics', 'http://tempo/own'])
  expect(metrics!.headers).toEqual({ authorization: 'Bearer abc', 'x-tenant': 'a' })
  expect(traces!.headers).toEqual({ authorization: 'Bearer abc', 'x-tenant': 'b' })
  expect([metrics!.timeout, metricsInterval, tracesInterval, maxSpans, sampled]).toEqual([500, 1000, 200, 10, 0.25])
  expect(Object.fromEntries(resource)).toMatchObject({
    'deployment.environment': 'test',
    'service.name': 'validator-1',
  })
})

test('either kind, or all of it, can be left out', () => {
  expect(of({ OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({ metrics: {}, traces: undefined })
  expect(of({ OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({ metrics: undefined, traces: {} })
  expect(of({ OTEL_SDK_DISABLED: 'true' })).toMatchObject({ metrics: undefined, traces: undefined })
  expect(of({ OTEL_TRACES_SAMPLER: 'always_off' }).sampled).toBe(0)
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /http or https address/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /only http\/json/],
  ['OTEL_METRICS_EXPORTER', 'prometheus', /expected otlp or none/],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', /expected a number/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'abc', /expected KEY=VALUE/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%', /not percent-encoded/],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /always_on, always_off or traceidratio/],
])('%s=%s is refused', (name, value, words) => {
  expect(() => of({ [name]: value })).toThrow(words)
  expect(() => of({ [name]: value })).toThrow(name)
})
