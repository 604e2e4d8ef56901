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

/** True or false; the words and numbers that Besu takes for them are taken too. */
export const boolean: Codec<boolean> = {
  schema: { type: 'boolean' },
  decode(json) {
    if (typeof json === 'boolean') return json
    if (typeof json === 'number') return json !== 0
    if (json === '') throw invalidParams('an empty text is neither true nor false')
    const word = typeof json === 'string' ? words.get(json) : undefined
    if (word === undefined) throw invalidParams()
    return word
  },
  encode: String,
}
