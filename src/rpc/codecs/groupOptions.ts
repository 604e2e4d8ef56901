import { invalidParams } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'
import { listDecoder } from './list.ts'
import { text } from './text.ts'

/** What a client says about a new group. */
export interface GroupOptions {
  readonly addresses: readonly string[]
  readonly name: string
  readonly description: string
}

const members = listDecoder(text)
const known = new Set(['addresses', 'name', 'description'])

/** Unknown members are refused, as in Besu. */
export const groupOptions: Decoder<GroupOptions> = {
  schema: {
    title: 'privacy group options',
    type: 'object',
    properties: { addresses: members.schema, name: text.schema, description: text.schema },
    required: ['addresses'],
  },
  decode(json) {
    const object = decodeObject(json)
    if (Object.keys(object).some((name) => !known.has(name))) throw invalidParams()
    return {
      addresses: members.decode(object['addresses']),
      name: optionalMember(object, 'name', text) ?? '',
      description: optionalMember(object, 'description', text) ?? '',
    }
  },
}
