import type { Codec } from './codec.ts'

/** One named table of the store: what its keys and values are and what it is for. */
export interface Table<K, V> {
  readonly name: string
  readonly key: Codec<K>
  readonly value: Codec<V>
  readonly doc: string
}

/** Declares a table. */
export function table<K, V>(name: string, key: Codec<K>, value: Codec<V>, doc: string): Table<K, V> {
  return { name, key, value, doc }
}

/** A table of any key and value types. */
export type AnyTable = Pick<Table<unknown, unknown>, 'name' | 'doc'>

export interface Range<K> {
  /** First key, included; with `reverse` the highest one. */
  readonly from?: K
  /** Where to stop, not included. */
  readonly to?: K
  readonly reverse?: boolean
  readonly limit?: number
}

/** Reads one committed state, or that of a write transaction. */
export interface Reader {
  get<K, V>(table: Table<K, V>, key: K): V | undefined
  /** The stored bytes themselves: valid only until the next read. */
  peek<K, V>(table: Table<K, V>, key: K): Uint8Array | undefined
  range<K, V>(table: Table<K, V>, range: Range<K>): Iterable<readonly [K, V]>
}

/** A read-only state of the store that later commits do not change; until it is closed, its pages cannot be reused. */
export interface Snapshot extends Reader {
  close(): void
}

/** The write transaction: it sees its own writes; all of them are committed, or none. */
export interface Transaction extends Reader {
  put<K, V>(table: Table<K, V>, key: K, value: V): void
  /** `put` of a key greater than every key in the table: fills pages wholly. */
  append<K, V>(table: Table<K, V>, key: K, value: V): void
  remove<K, V>(table: Table<K, V>, key: K): void
}
