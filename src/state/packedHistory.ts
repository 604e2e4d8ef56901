import { equalBytes } from '../primitives/bytes.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { Space } from './space.ts'

/** What a branch was before a block: `absent`, its stored form (`whole`), or its difference to what it became. */
export const pastKinds = { absent: 0, whole: 1, diff: 2 } as const

export interface PastBranch {
  readonly key: Uint8Array
  readonly kind: (typeof pastKinds)[keyof typeof pastKinds]
  /** The row's list of blocks was moved to a chunk at this change. */
  readonly flushed: boolean
  readonly data: Uint8Array
}

/**
 * Rows of `branchHistory` hold many branches each, because there are many small ones in a block and they are seldom read.
 * The key is block ‖ key of the first; the value is, per branch: bytes shared with the key before, length of the rest of
 * the key, the rest, flags, length of the data (2 bytes), the data.
 */
const packedLength = 1800
const kindMask = 3
const flushedFlag = 4

/** Writes what the branches of a block were before, in the order of their keys. */
export function appendPast(txn: Transaction, space: Space, block: number, past: readonly PastBranch[]): void {
  const { branchHistory } = space.tables
  const buffer = new Uint8Array(packedLength)
  let length = 0
  let first: Uint8Array | undefined
  let previous: Uint8Array | undefined
  const flush = (): void => {
    if (first !== undefined) space.append(txn, branchHistory, space.atBlock(block, first), buffer.subarray(0, length))
    first = previous = undefined
    length = 0
  }
  for (const { key, kind, flushed, data } of past) {
    if (length + key.length + data.length + 5 > packedLength) flush()
    first ??= key
    let shared = 0
    if (previous !== undefined) while (shared < key.length && previous[shared] === key[shared]) shared++
    buffer[length++] = shared
    buffer[length++] = key.length - shared
    for (let i = shared; i < key.length; i++) buffer[length++] = key[i]!
    buffer[length++] = kind | (flushed ? flushedFlag : 0)
    buffer[length++] = data.length >>> 8
    buffer[length++] = data.length
    buffer.set(data, length)
    length += data.length
    previous = key
  }
  flush()
}

/** Undoes the packing of one row. */
export function* unpackPast(packed: Uint8Array): Iterable<PastBranch> {
  let key = new Uint8Array(0)
  for (let at = 0; at < packed.length; ) {
    const shared = packed[at]!
    const rest = packed[at + 1]!
    at += 2
    const next = new Uint8Array(shared + rest)
    next.set(key.subarray(0, shared), 0)
    next.set(packed.subarray(at, at + rest), shared)
    key = next
    at += rest
    const flags = packed[at]!
    const size = (packed[at + 1]! << 8) | packed[at + 2]!
    at += 3
    if (at + size > packed.length) throw new Error('the database is damaged: a row of branch nodes is too short')
    const kind = (flags & kindMask) as PastBranch['kind']
    yield { key, kind, flushed: (flags & flushedFlag) !== 0, data: packed.subarray(at, at + size) }
    at += size
  }
}

/** What a branch was before `block`, which changed it. */
export function readPast(reader: Reader, space: Space, block: number, key: Uint8Array): PastBranch {
  const range = { from: space.atBlock(block, key), to: space.atBlock(block), reverse: true, limit: 1 }
  for (const [, packed] of reader.range(space.tables.branchHistory, range))
    for (const past of unpackPast(packed)) if (equalBytes(past.key, key)) return past
  throw new Error(`the database is damaged: history of block ${block} is incomplete`)
}
