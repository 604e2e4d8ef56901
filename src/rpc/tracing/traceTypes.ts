import type { Decoder } from '../codecs/codec.ts'
import { invalidParams } from '../protocol/fault.ts'

const names = ['trace', 'vmTrace', 'stateDiff'] as const
export type TraceType = (typeof names)[number]

/** Which traces are wanted, by their names in upper or lower case. */
export const traceTypes: Decoder<ReadonlySet<TraceType>> = {
  schema: { title: 'trace types', type: 'array', items: { enum: names } },
  decode(json) {
    if (!Array.isArray(json)) throw invalidParams()
    return new Set(
      json.map((one: unknown) => {
        const name =
          typeof one === 'string' ? names.find((name) => name.toLowerCase() === one.toLowerCase()) : undefined
        if (!name) throw invalidParams()
        return name
      }),
    )
  },
}
