import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../../store/codec.ts'
import { privateCursor } from '../../store/schema.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { fromBase64, toBase64 } from '../enclave/base64.ts'

const wholeKey = 'executed'

/** The last block whose payloads were asked for. */
export function readCursor(reader: Reader): BlockKey | undefined {
  const bytes = reader.get(privateCursor, wholeKey)
  if (!bytes) return undefined
  return { number: readBlockNumber(bytes, 0), hash: bytes.slice(blockNumberLength) as Uint8Array as Hash32 }
}

export function writeCursor(txn: Transaction, { number, hash }: BlockKey): void {
  const bytes = new Uint8Array(blockNumberLength + 32)
  writeBlockNumber(bytes, 0, number)
  bytes.set(hash, blockNumberLength)
  txn.put(privateCursor, wholeKey, bytes)
}

/** A group that has not executed all that was asked for. */
export interface GroupBehind {
  readonly group: Uint8Array
  /** The last block that it has executed. */
  readonly at: number
}

/** The groups that are behind, by their keys. */
export function readGroupsBehind(reader: Reader): Map<string, GroupBehind> {
  const found = new Map<string, GroupBehind>()
  for (const [name, bytes] of reader.range(privateCursor, {})) {
    const group = name === wholeKey ? undefined : fromBase64(name)
    if (group) found.set(keyOf(group), { group, at: readBlockNumber(bytes, 0) })
  }
  return found
}

export function writeGroupCursor(txn: Transaction, { group, at }: GroupBehind): void {
  const bytes = new Uint8Array(blockNumberLength)
  writeBlockNumber(bytes, 0, at)
  txn.put(privateCursor, toBase64(group), bytes)
}

/** The group has executed all that was asked for. */
export function removeGroupCursor(txn: Transaction, group: Uint8Array): void {
  txn.remove(privateCursor, toBase64(group))
}
