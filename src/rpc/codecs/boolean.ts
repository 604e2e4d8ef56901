import { invalidParams } from '../protocol/fault.ts'
import type { Codec } from './codec.ts'

const words = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

/** A boolean, or a string or number that Besu accepts as one. */
export const boolean: Codec<boolean> = {
  schema: { type: 'boolean' },
  decode(json) {
    if (typeof json === 'boolean') return json
    if (typeof json === 'number') return json !== 0
    if (json === '') throw invalidParams('an empty string is not a boolean')
    const word = typeof json === 'string' ? words.get(json) : undefined
    if (word === undefined) throw invalidParams()
    return word
  },
  encode: String,
}
