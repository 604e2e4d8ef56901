import { concatBytes } from '../primitives/bytes.ts'
import { cutBytes } from '../primitives/slab.ts'
import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../store/codec.ts'
import { privateState, publicState, type StateTables } from '../store/schema.ts'
import type { Table, Transaction } from '../store/table.ts'

/** Where one state lies: its tables, and how the keys there are made; in the private tables each starts with the group. */
export interface Space {
  readonly tables: StateTables
  readonly group: Uint8Array
  /** Above every key of this state in any of its tables; undefined if nothing is. */
  readonly end: Uint8Array | undefined
  /** Key of a `latest` table. */
  key(key: Uint8Array): Uint8Array
  /** Key of a `history` table. */
  atBlock(block: number, key?: Uint8Array): Uint8Array
  /** Key of a `chunks` table. */
  chunk(key: Uint8Array, lastBlock: number): Uint8Array
  /** What follows the prefix in a key of a `latest` table. */
  unkey(stored: Uint8Array): Uint8Array
  /** The block in a key of a `history` table. */
  blockIn(stored: Uint8Array): number
  /** What follows the block in a key of a `history` table. */
  unblock(stored: Uint8Array): Uint8Array
  /** Writes a row that follows every other of this state. */
  append(txn: Transaction, table: Table<Uint8Array, Uint8Array>, key: Uint8Array, value: Uint8Array): void
}

/** The chain's own state if `group` is empty, else that of a privacy group; all groups have ids of one length. */
export function createSpace(
  group: Uint8Array,
  tables: StateTables = group.length === 0 ? publicState : privateState,
): Space {
  const isPublic = group.length === 0
  const blockAt = group.length
  return {
    tables,
    group,
    end: isPublic ? undefined : successor(group),
    key: isPublic ? (key) => key : (key) => concatBytes(group, key),
    atBlock(block, key) {
      const out = cutBytes(blockAt + blockNumberLength + (key?.length ?? 0))
      out.set(group, 0)
      writeBlockNumber(out, blockAt, block)
      if (key !== undefined) out.set(key, blockAt + blockNumberLength)
      return out
    },
    chunk(key, lastBlock) {
      const out = new Uint8Array(blockAt + key.length + blockNumberLength)
      out.set(group, 0)
      out.set(key, blockAt)
      writeBlockNumber(out, blockAt + key.length, lastBlock)
      return out
    },
    unkey: (stored) => stored.subarray(blockAt),
    blockIn: (stored) => readBlockNumber(stored, blockAt),
    unblock: (stored) => stored.subarray(blockAt + blockNumberLength),
    append(txn, table, key, value) {
      // Other groups' rows may follow in the table: only the public state's end is the table's.
      if (isPublic) txn.append(table, key, value)
      else txn.put(table, key, value)
    },
  }
}

/** The lowest bytes above all that start with `prefix`; undefined if there are none. */
export function successor(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const out = prefix.slice(0, length)
  out[length - 1]!++
  return out
}
