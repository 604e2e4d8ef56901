import type { MineOptions } from '../../dev/devTools.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'
import { index } from './integer.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'
import { quantity } from './quantity.ts'

/** A timestamp, or an object with `timestamp` and `blocks`. */
export const mineOptions: Decoder<MineOptions> = {
  schema: {
    title: 'timestamp or options',
    oneOf: [{ type: ['string', 'integer'] }, { type: 'object', properties: { timestamp: {}, blocks: {} } }],
  },
  decode(json) {
    if (typeof json !== 'object') {
      const timestamp = quantity.decode(json)
      // Some clients send 0 for "now".
      return timestamp === 0n ? { blocks: 1 } : { blocks: 1, timestamp }
    }
    const object = decodeObject(json)
    return {
      blocks: optionalMember(object, 'blocks', index) ?? 1,
      timestamp: optionalMember(object, 'timestamp', quantity),
    }
  },
}

/** Options of a reset: a fork of another chain is refused. */
export const nothingToFork: Decoder<undefined> = {
  schema: { type: 'object' },
  decode(json) {
    if (json && typeof json === 'object' && 'forking' in json) throw invalidParams('forking is not supported')
    return undefined
  },
}
