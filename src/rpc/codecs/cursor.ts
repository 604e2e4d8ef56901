import { invalidParams } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

const number = /^(0|[1-9][0-9]{0,100})$/

/** Where a list goes on: numbers that the page before has put together (`cursorOf`), so many of them. */
export function cursor(count: number): Decoder<readonly bigint[]> {
  return {
    schema: { title: 'cursor', type: 'string' },
    decode(json) {
      const parts = typeof json === 'string' ? json.split('.') : []
      if (parts.length !== count || !parts.every((part) => number.test(part)))
        throw invalidParams('a cursor is `next` of the page before')
      return parts.map(BigInt)
    },
  }
}

/** The text of a cursor. */
export function cursorOf(...numbers: readonly (bigint | number)[]): string {
  return numbers.join('.')
}
