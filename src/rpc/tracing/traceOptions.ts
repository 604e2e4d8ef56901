import type { CallTracerOptions } from '../../execution/tracing/callTracer.ts'
import type { PrestateOptions } from '../../execution/tracing/prestateTracer.ts'
import type { StepOptions } from '../../execution/tracing/stepLog.ts'
import type { JsonObject } from '../../primitives/json.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Decoder } from '../codecs/codec.ts'
import { index } from '../codecs/integer.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { text } from '../codecs/text.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { FlatCallOptions } from './flatCallText.ts'

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
  | { readonly tracer: '4byteTracer' }
  | { readonly tracer: 'noopTracer' }
  /** Several of them by name. */
  | { readonly tracer: 'muxTracer'; readonly parts: readonly TracerOptions[] }

const tracers = ['callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'muxTracer']
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

/** Members that are not known are of no account: `timeout` and `reexec` among them. */
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
      tracer: { enum: tracers },
      tracerConfig: config.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    const tracer = optionalMember(object, 'tracer', text) ?? ''
    if (tracer !== '') return tracerOptions(tracer, optionalMember(object, 'tracerConfig', config) ?? {})
    const shows = (name: string) => !(optionalMember(object, `disable${name}`, boolean) ?? false)
    const memory = optionalMember(object, 'enableMemory', boolean) ?? shows('Memory')
    const limit = optionalMember(object, 'limit', index) ?? 0
    return {
      tracer: 'structLogs',
      steps: { stack: shows('Stack'), memory, storage: shows('Storage'), limit },
    }
  },
}

function tracerOptions(tracer: string, more: JsonObject): TracerOptions {
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
    case 'prestateTracer':
      return {
        tracer,
        prestate: {
          diffMode: isSet('diffMode'),
          disableCode: isSet('disableCode'),
          disableStorage: isSet('disableStorage'),
        },
      }
    case '4byteTracer':
    case 'noopTracer':
      return { tracer }
    case 'muxTracer':
      // As geth writes them, in the order of their names.
      return {
        tracer,
        parts: Object.keys(more)
          .sort()
          .map((name) => tracerOptions(name, optionalMember(more, name, config) ?? {})),
      }
    default:
      throw invalidParams(`tracers are ${tracers.join(', ')}`)
  }
}
