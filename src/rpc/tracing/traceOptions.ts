import type { CallTracerOptions } from '../../execution/tracing/callTracer.ts'
import type { StepOptions } from '../../execution/tracing/stepLog.ts'
import type { JsonObject } from '../../primitives/json.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Decoder } from '../codecs/codec.ts'
import { index } from '../codecs/integer.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { text } from '../codecs/text.ts'
import { invalidParams } from '../protocol/fault.ts'

/** Which trace is wanted, and what it is to show. */
export type TraceOptions =
  | { readonly tracer: 'structLogs'; readonly steps: StepOptions }
  | { readonly tracer: 'callTracer'; readonly calls: CallTracerOptions }
  | { readonly tracer: 'prestateTracer'; readonly diffMode: boolean }
  | { readonly tracer: '4byteTracer' }

const tracers = ['callTracer', 'prestateTracer', '4byteTracer']
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
    const more = optionalMember(object, 'tracerConfig', config) ?? {}
    const isSet = (name: string, where = more) => optionalMember(where, name, boolean) ?? false
    const tracer = optionalMember(object, 'tracer', text) ?? ''
    switch (tracer) {
      case '': {
        const shows = (name: string) => !isSet(`disable${name}`, object)
        const memory = optionalMember(object, 'enableMemory', boolean) ?? shows('Memory')
        const limit = optionalMember(object, 'limit', index) ?? 0
        return {
          tracer: 'structLogs',
          steps: { stack: shows('Stack'), memory, storage: shows('Storage'), limit },
        }
      }
      case 'callTracer':
        return { tracer, calls: { onlyTopCall: isSet('onlyTopCall'), withLog: isSet('withLog') } }
      case 'prestateTracer':
        return { tracer, diffMode: isSet('diffMode') }
      case '4byteTracer':
        return { tracer }
      default:
        throw invalidParams(`tracers are ${tracers.join(', ')}`)
    }
  },
}
