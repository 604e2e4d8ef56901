import type { AccountOverride } from '../../query/accountOverrides.ts'
import type { BlockOverrides } from '../../query/blockOverrides.ts'
import { callBlockOverrides } from '../calls/blockOverrides.ts'
import { stateOverrides } from '../calls/stateOverrides.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { defaultTraceOptions, type TraceOptions, traceOptions } from './traceOptions.ts'

/** How a call is traced, and what is taken to be different about accounts and the block. */
interface CallTraceOptions {
  readonly trace: TraceOptions
  readonly stateOverrides?: readonly AccountOverride[] | undefined
  readonly blockOverrides?: BlockOverrides | undefined
}

export const defaultCallTraceOptions: CallTraceOptions = { trace: defaultTraceOptions }

export const callTraceOptions: Decoder<CallTraceOptions> = {
  schema: { ...traceOptions.schema, title: 'call trace options' },
  decode: (json) => ({
    trace: traceOptions.decode(json),
    stateOverrides: optionalMember(decodeObject(json), 'stateOverrides', stateOverrides),
    blockOverrides: optionalMember(decodeObject(json), 'blockOverrides', callBlockOverrides),
  }),
}
