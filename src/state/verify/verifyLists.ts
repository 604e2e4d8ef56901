import { concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { blockNumberLength, readBlockNumber } from '../../store/codec.ts'
import type { Reader, Table } from '../../store/table.ts'
import { unpackPast } from '../packedHistory.ts'
import { decodeRow } from '../row.ts'
import type { Space } from '../space.ts'
import { checkPart, type Report } from './report.ts'
import { rangeOf } from './verifyLatest.ts'

type Bytes = Table<Uint8Array, Uint8Array>

interface Past {
  readonly key: Uint8Array
  /** The key's list of blocks was moved to a chunk at this change. */
  readonly flushed: boolean
}

interface Kind {
  readonly latest: Bytes
  readonly history: Bytes
  readonly chunks: Bytes
  /** What lies in a row of history. */
  readonly pasts: (stored: Uint8Array, value: Uint8Array) => readonly Past[]
}

/**
 * Compares the blocks that each key names with those for which history has a former value. Readers follow these lists without
 * checks, hence this comes before anything is read at an older block.
 */
export function verifyLists(space: Space, reader: Reader, floor: number, report: Report): void {
  const { tables } = space
  const flat = (stored: Uint8Array, value: Uint8Array): Past[] => {
    if (!(value[0]! <= 1)) throw new Error(`a row of block ${space.blockIn(stored)} has unknown flags`)
    return [{ key: space.unblock(stored), flushed: value[0] === 1 }]
  }
  const packed = (stored: Uint8Array, value: Uint8Array): Past[] => {
    const pasts = [...unpackPast(value)]
    if (!pasts[0] || !equalBytes(pasts[0].key, space.unblock(stored))) throw new Error('a row begins with another key')
    return pasts
  }
  const kinds: readonly Kind[] = [
    { latest: tables.accounts, history: tables.accountHistory, chunks: tables.accountChunks, pasts: flat },
    { latest: tables.slots, history: tables.slotHistory, chunks: tables.slotChunks, pasts: flat },
    { latest: tables.branches, history: tables.branchHistory, chunks: tables.branchChunks, pasts: packed },
  ]
  for (const kind of kinds) checkPart(report, kind.history.name, () => verifyKind(space, reader, kind, floor, report))
}

function verifyKind(space: Space, reader: Reader, kind: Kind, floor: number, report: Report): void {
  const { latest, history, chunks, pasts } = kind
  const [wanted, found] = [createTally(), createTally()]
  let chunkCount = 0
  for (const [stored, row] of reader.range(latest, rangeOf(space))) {
    const key = space.unkey(stored)
    const { blocks, hasChunks } = decodeRow(row)
    let before = 0
    /** Adds a list of blocks; the first one after a chunk is where that was written. */
    const add = (list: Uint8Array, followsChunk: boolean) => {
      for (const [i, block] of blocksIn(list).entries()) {
        if (block <= before) throw new Error('a list of blocks is not in order')
        before = block
        if (block > floor) wanted.add(block, key, followsChunk && i === 0)
      }
    }
    if (hasChunks) {
      const range = { from: space.chunk(key, 0), to: space.chunk(key, 2 ** 48 - 1) }
      // Longer keys that begin with this one may lie between its chunks.
      const older = [...reader.range(chunks, range)].filter(([stored]) => stored.length === range.from.length)
      for (const [i, [chunkKey, value]] of older.entries()) {
        if (value[0]! > 1 || (floor === 0 && (value[0] === 1) !== i > 0)) throw new Error('a chunk is damaged')
        add(value.subarray(1), value[0] === 1)
        if (!equalBytes(chunkKey, space.chunk(key, before))) throw new Error('a chunk has another last block')
      }
      if (older.length === 0 && floor === 0) throw new Error('a chunk is missing')
      chunkCount += older.length
    }
    add(blocks, hasChunks)
  }
  for (const [stored, value] of reader.range(history, rangeOf(space)))
    for (const { key, flushed } of pasts(stored, value)) found.add(space.blockIn(stored), key, flushed)
  if (wanted.sum() !== found.sum()) report.fault(history.name, 'history is not what the newest rows say it is')
  let stored = 0
  for (const _ of reader.range(chunks, rangeOf(space))) stored++
  if (stored !== chunkCount) report.fault(chunks.name, 'a chunk belongs to no row')
}

/** The blocks of a packed list; throws if it is malformed. */
function blocksIn(list: Uint8Array): number[] {
  if (list.length === 0) return []
  let at = list.length - blockNumberLength
  if (at < 0) throw new Error('a list of blocks is too short')
  const blocks = [readBlockNumber(list, at)]
  while (at > 0) {
    let distance = 0
    for (let scale = 1; ; scale *= 0x80) {
      if (at === 0) throw new Error('a list of blocks is damaged')
      const group = list[--at]!
      distance += (group & 0x7f) * scale
      if (group < 0x80) break
    }
    blocks.push(blocks.at(-1)! - distance)
  }
  return blocks.reverse()
}

/** A sum over changes in any order, by which two sets of them can be compared without being in memory. */
function createTally() {
  const digest = new Uint8Array(32)
  const head = new Uint8Array(8)
  const view = new DataView(head.buffer)
  let count = 0
  return {
    add(block: number, key: Uint8Array, flushed: boolean): void {
      count++
      view.setFloat64(0, flushed ? -block : block)
      const hash = keccak256(concatBytes(head, key))
      for (let i = 0; i < 32; i++) digest[i]! ^= hash[i]!
    },
    sum: () => `${count} ${digest.join()}`,
  }
}
