import type { AccountOverride } from '../../query/accountOverrides.ts'
import { stateOverrides } from '../calls/stateOverrides.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { defaultTraceOptions, type TraceOptions, traceOptions } from './traceOptions.ts'

/** How a call is traced, and what is taken to be different about the state. */
interface CallTraceOptions {
  readonly trace: TraceOptions
  readonly stateOverrides: readonly AccountOverride[] | undefined
}

export const defaultCallTraceOptions: CallTraceOptions = { trace: defaultTraceOptions, stateOverrides: undefined }

export const callTraceOptions: Decoder<CallTraceOptions> = {
  schema: { ...traceOptions.schema, title: 'call trace options' },
  decode: (json) => ({
    trace: traceOptions.decode(json),
    stateOverrides: optionalMember(decodeObject(json), 'stateOverrides', stateOverrides),
  }),
}
