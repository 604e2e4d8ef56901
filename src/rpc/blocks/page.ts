import type { Encoder } from '../codecs/codec.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** Some entries of a list as of a block, and where it goes on. */
export interface Page<T> {
  /** Number of the head from which it was answered. */
  readonly block: bigint
  readonly entries: readonly T[]
  /** Undefined at the end of the list. */
  readonly next: string | undefined
}

/** Takes the entries of a page; `cursorOf` says what the one behind it goes on from. */
export function takePage<T>(block: bigint, entries: Iterable<T>, size: number, cursorOf: (last: T) => string): Page<T> {
  const taken: T[] = []
  for (const entry of entries) {
    if (taken.length === size) return { block, entries: taken, next: cursorOf(taken.at(-1)!) }
    taken.push(entry)
  }
  return { block, entries: taken, next: undefined }
}

/** A page for JSON-RPC. */
export function pageOf<T>(name: string, entry: Encoder<T>): Encoder<Page<T>> {
  return record<Page<T>>('page', (member) => [
    member('block', quantity, ({ block }) => block),
    member(name, listEncoder(entry), ({ entries }) => entries),
    member('next', nullable(text), ({ next }) => next),
  ])
}
