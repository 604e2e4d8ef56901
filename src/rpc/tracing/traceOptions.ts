import type { CallTracerOptions } from '../../execution/tracing/callTracer.ts'
import type { PrestateOptions } from '../../execution/tracing/prestateTracer.ts'
import type { StepOptions } from '../../execution/tracing/stepLog.ts'
import { plainOpcodes, type ValidationOptions } from '../../execution/tracing/validationTracer.ts'
import type { JsonObject } from '../../primitives/json.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Decoder } from '../codecs/codec.ts'
import { index } from '../codecs/integer.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { listDecoder } from '../codecs/list.ts'
import { text } from '../codecs/text.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { FlatCallOptions } from './flatCallText.ts'
import { defaultScriptTime, maxScriptTime, milliseconds } from './script/scriptClock.ts'
import { shippedTracers } from './script/shippedTracers.ts'

export interface PrestateTraceOptions extends PrestateOptions {
  readonly diffMode: boolean
}

/** Which trace is wanted, and what it is to show. */
export type TraceOptions = { readonly tracer: 'structLogs'; readonly steps: StepOptions } | TracerOptions

/** A tracer of geth. */
export type TracerOptions =
  | { readonly tracer: 'callTracer'; readonly calls: CallTracerOptions }
  | { readonly tracer: 'flatCallTracer'; readonly flat: FlatCallOptions }
  | { readonly tracer: 'prestateTracer'; readonly prestate: PrestateTraceOptions }
  | { readonly tracer: 'erc7562Tracer'; readonly validation: ValidationOptions }
  | { readonly tracer: '4byteTracer' | 'keccak256PreimageTracer' | 'noopTracer' }
  /** Several of them by name. */
  | { readonly tracer: 'muxTracer'; readonly parts: readonly NamedPart[] }
  | ScriptOptions

interface NamedPart {
  readonly name: string
  readonly options: TracerOptions
}

/** A tracer that the caller has written in JavaScript. */
export interface ScriptOptions {
  readonly tracer: 'script'
  readonly code: string
  /** Its configuration, JSON text. */
  readonly config: string
  /** Milliseconds that it has for a transaction. */
  readonly time: number
}

const tracers = [
  ...['callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'erc7562Tracer', 'keccak256PreimageTracer'],
  ...['noopTracer', 'muxTracer', ...shippedTracers.keys()],
]
/** Opcodes as quantities, such as `0x54`. */
const opcodeList = listDecoder(index, { max: 256, what: 'opcodes' })
const config: Decoder<JsonObject> = { schema: { type: 'object' }, decode: decodeObject }

/** Everything is shown unless the options say otherwise. */
export const defaultTraceOptions: TraceOptions = {
  tracer: 'structLogs',
  steps: { stack: true, memory: true, storage: true },
}

/** The same options with no more steps than the operator allows; 0 sets no limit. */
export function withStepLimit(options: TraceOptions, max = 0): TraceOptions {
  if (options.tracer !== 'structLogs' || max === 0) return options
  const limit = Math.min(options.steps.limit || max, max)
  return { ...options, steps: { ...options.steps, limit } }
}

/** Milliseconds that the caller's own tracers have for a transaction; undefined where there are none. */
export function scriptTimeOf(options: TraceOptions): number | undefined {
  if (options.tracer === 'script') return options.time
  if (options.tracer !== 'muxTracer') return undefined
  const times = options.parts.flatMap((part) => scriptTimeOf(part.options) ?? [])
  return times.length > 0 ? Math.max(...times) : undefined
}

function readTime(object: JsonObject): number {
  const timeout = optionalMember(object, 'timeout', text)
  if (timeout === undefined) return defaultScriptTime
  const time = milliseconds(timeout)
  if (time === undefined) throw invalidParams(`timeout ${timeout} is no duration such as 10s`)
  return Math.min(time, maxScriptTime)
}

/** Members that are not known are of no account, such as `reexec`. */
export const traceOptions: Decoder<TraceOptions> = {
  schema: {
    title: 'trace options',
    type: 'object',
    properties: {
      disableStorage: boolean.schema,
      disableMemory: boolean.schema,
      disableStack: boolean.schema,
      enableMemory: boolean.schema,
      limit: index.schema,
      tracer: { anyOf: [{ enum: tracers }, { title: 'JavaScript', type: 'string' }] },
      timeout: { title: 'duration', type: 'string' },
      tracerConfig: config.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    const tracer = optionalMember(object, 'tracer', text) ?? ''
    if (tracer !== '') return tracerOptions(tracer, optionalMember(object, 'tracerConfig', config) ?? {}, object)
    const shows = (name: string) => !(optionalMember(object, `disable${name}`, boolean) ?? false)
    const memory = optionalMember(object, 'enableMemory', boolean) ?? shows('Memory')
    const limit = optionalMember(object, 'limit', index) ?? 0
    return {
      tracer: 'structLogs',
      steps: { stack: shows('Stack'), memory, storage: shows('Storage'), limit },
    }
  },
}

function tracerOptions(tracer: string, more: JsonObject, all: JsonObject): TracerOptions {
  const isSet = (name: string) => optionalMember(more, name, boolean) ?? false
  switch (tracer) {
    case 'callTracer':
      return { tracer, calls: { onlyTopCall: isSet('onlyTopCall'), withLog: isSet('withLog') } }
    case 'flatCallTracer':
      return {
        tracer,
        flat: {
          convertParityErrors: isSet('convertParityErrors'),
          includePrecompiles: isSet('includePrecompiles'),
        },
      }
    case 'prestateTracer': {
      const [diffMode, includeEmpty] = [isSet('diffMode'), isSet('includeEmpty')]
      if (diffMode && includeEmpty) throw invalidParams('includeEmpty cannot be used with diffMode')
      const left = { disableCode: isSet('disableCode'), disableStorage: isSet('disableStorage') }
      return { tracer, prestate: { diffMode, includeEmpty, ...left } }
    }
    case 'erc7562Tracer': {
      const ignored = optionalMember(more, 'ignoredOpcodes', opcodeList)
      return { tracer, validation: { withLog: isSet('withLog'), ignored: ignored ? new Set(ignored) : plainOpcodes } }
    }
    case '4byteTracer':
    case 'keccak256PreimageTracer':
    case 'noopTracer':
      return { tracer }
    case 'muxTracer':
      // As geth writes them, in the order of their names.
      return {
        tracer,
        parts: Object.keys(more)
          .sort()
          .map((name) => ({ name, options: tracerOptions(name, optionalMember(more, name, config) ?? {}, all) })),
      }
    default: {
      const code = shippedTracers.get(tracer) ?? tracer
      if (!/^\w+$/.test(code)) return { tracer: 'script', code, config: JSON.stringify(more), time: readTime(all) }
      throw invalidParams(`tracers are ${tracers.join(', ')}, or an object in JavaScript`)
    }
  }
}
