import { concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { cutCopy } from '../primitives/slab.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { applyBranchDiff, type Branch, type BranchNode, encodeBranchDiff } from '../trie/branch.ts'
import type { Nibbles } from '../trie/nibbles.ts'
import type { BranchChange } from '../trie/updateTrie.ts'
import { blocksAfter, dropLastBlock, firstBlock, isPruned, lastBlock } from './blockList.ts'
import { chunkBlocksAfter, takeChunk, writeChunk } from './chunks.ts'
import type { BlockChoice } from './flat.ts'
import { appendPast, type PastBranch, pastKinds, readPast, unpackPast } from './packedHistory.ts'
import {
  blocksInRow,
  decodeRow,
  encodeRow,
  freshRow,
  valueLength,
  withChange,
  withChangeAfterChunk,
  withValue,
} from './row.ts'
import { type Space, successor } from './space.ts'

/** A branch as it is stored; with its row where the latest one was read. */
export interface StoredBranch extends BranchNode {
  readonly row: Uint8Array | undefined
}

/** The change of a branch in the trie whose keys start with `trie`. */
export interface PlacedChange {
  readonly trie: Uint8Array
  readonly change: BranchChange<StoredBranch>
}

/** Branch nodes of all tries of one state by trie and path, now and before every block that changed them. */
export interface Branches {
  at(reader: Reader, trie: Uint8Array, path: Nibbles, at: BlockChoice): StoredBranch | undefined
  /** Branches of one trie in the order of their paths, so that the first is the one nearest to the root. */
  range(reader: Reader, trie: Uint8Array, at: BlockChoice): Iterable<{ path: Nibbles; branch: StoredBranch }>
  write(txn: Transaction, block: number, changes: readonly PlacedChange[]): void
  /** Undoes a block; `floor` is the last one whose changes were pruned. */
  unwind(txn: Transaction, block: number, floor: number): void
  prune(txn: Transaction, block: number): void
}

/** What the keys of the state trie's branches start with. */
export const accountTrie: Uint8Array = Uint8Array.of(0)

/** What the keys of the branches of an account's storage trie start with. */
export function storageTrie(addressHash: Uint8Array): Uint8Array {
  return concatBytes(storageTrieTag, addressHash)
}
const storageTrieTag = Uint8Array.of(1)

/** Each so-many-th change of a branch is kept whole: no more differences than this are applied to read one. */
const wholeEvery = 16

const pruneBatch = 100

/** The states of recent blocks as differences to the one on disk, on every branch. */
class StateBranches implements Branches {
  private readonly space: Space
  private readonly branches: Space['tables']['branches']
  private readonly branchHistory: Space['tables']['branchHistory']
  private readonly branchChunks: Space['tables']['branchChunks']

  constructor(space: Space) {
    this.space = space
    const { branches, branchHistory, branchChunks } = space.tables
    this.branches = branches
    this.branchHistory = branchHistory
    this.branchChunks = branchChunks
  }

  private readAt(reader: Reader, key: Uint8Array, row: Uint8Array, at: BlockChoice): StoredBranch | undefined {
    const length = valueLength(row)
    const now = length === 0 ? undefined : row.subarray(0, length)
    if (at === 'latest') return now && { children: now, row }
    const { blocks, hasChunks } = decodeRow(row)
    const children = this.rewind(reader, key, now, this.changesAfter(reader, key, blocks, hasChunks, at))
    return children && { children, row: undefined }
  }

  /** The blocks after `at` that changed the branch, in order. */
  private *changesAfter(
    reader: Reader,
    key: Uint8Array,
    blocks: Uint8Array,
    hasChunks: boolean,
    at: number,
  ): Iterable<number> {
    let from = at
    while (hasChunks) {
      const found = chunkBlocksAfter(reader, this.branchChunks, this.space, key, from, firstBlock(blocks))
      if (found.length === 0) break
      yield* found
      from = found.at(-1)!
    }
    yield* blocksAfter(blocks, from)
  }

  /** The branch before the first of `changes`: from the next whole one on, or from the branch as it is now. */
  private rewind(
    reader: Reader,
    key: Uint8Array,
    now: Branch | undefined,
    changes: Iterable<number>,
  ): Branch | undefined {
    let base = now
    const diffs: Uint8Array[] = []
    for (const block of changes) {
      const past = readPast(reader, this.space, block, key)
      if (past.kind === pastKinds.diff) {
        diffs.push(past.data)
        continue
      }
      base = past.kind === pastKinds.whole ? past.data : undefined
      break
    }
    return base && diffs.reduceRight(applyBranchDiff, base)
  }

  private writeOne(txn: Transaction, block: number, { trie, change }: PlacedChange): PastBranch {
    const { path, before, after, mask } = change
    const key = concatBytes(trie, path)
    const stored = this.space.key(key)
    const row = before?.row ?? txn.get(this.branches, stored) ?? freshRow(emptyBytes)
    const value = after ?? emptyBytes
    const changed = block === 0 ? withValue(row, value) : withChange(row, value, block)
    const flushed = changed === undefined
    if (flushed) writeChunk(txn, this.branchChunks, this.space, key, decodeRow(row))
    const next = changed ?? withChangeAfterChunk(row, value, block)
    txn.put(this.branches, stored, next)
    if (before === undefined) return { key, kind: pastKinds.absent, flushed, data: emptyBytes }
    if (after === undefined || blocksInRow(next) % wholeEvery === 0)
      return { key, kind: pastKinds.whole, flushed, data: before.children }
    return { key, kind: pastKinds.diff, flushed, data: encodeBranchDiff(before.children, mask) }
  }

  private restore(txn: Transaction, block: number, floor: number, past: PastBranch): void {
    const { key, kind, flushed, data } = past
    const stored = this.space.key(key)
    const row = decodeRow(txn.get(this.branches, stored)!)
    const value = kind === pastKinds.diff ? applyBranchDiff(row.value, data) : data
    const older = flushed ? takeChunk(txn, this.branchChunks, this.space, key, block) : undefined
    const blocks = older?.blocks ?? dropLastBlock(row.blocks)
    const hasChunks = older?.hasChunks ?? row.hasChunks
    if (value.length === 0 && isPruned(blocks, floor)) txn.remove(this.branches, stored)
    else txn.put(this.branches, stored, encodeRow({ value, tag: emptyBytes, blocks, hasChunks }))
  }

  private forget(txn: Transaction, block: number, { key, flushed }: PastBranch): void {
    if (flushed) takeChunk(txn, this.branchChunks, this.space, key, block)
    const stored = this.space.key(key)
    const row = txn.peek(this.branches, stored)
    if (row === undefined || valueLength(row) > 0) return
    if (lastBlock(decodeRow(row).blocks) <= block) txn.remove(this.branches, stored)
  }

  private consume(txn: Transaction, from: number, to: number, action: (block: number, past: PastBranch) => void): void {
    const range = { from: this.space.atBlock(from), to: this.space.atBlock(to), limit: pruneBatch }
    for (;;) {
      const rows = [...txn.range(this.branchHistory, range)]
      for (const [stored, packed] of rows) {
        for (const past of unpackPast(packed)) action(this.space.blockIn(stored), past)
        txn.remove(this.branchHistory, stored)
      }
      if (rows.length < pruneBatch) return
    }
  }

  readonly at: Branches['at'] = (reader, trie, path, at) => {
    const key = concatBytes(trie, path)
    const row = reader.peek(this.branches, this.space.key(key))
    return row && this.readAt(reader, key, cutCopy(row), at)
  };

  *range(reader: Reader, trie: Uint8Array, at: BlockChoice): ReturnType<Branches['range']> {
    for (const [stored, row] of reader.range(this.branches, {
      from: this.space.key(trie),
      to: successor(this.space.key(trie))!,
    })) {
      const key = this.space.unkey(stored)
      const branch = this.readAt(reader, key, row, at)
      if (branch !== undefined) yield { path: key.subarray(trie.length), branch }
    }
  }

  readonly write: Branches['write'] = (txn, block, changes) => {
    const past = changes.map((change) => this.writeOne(txn, block, change))
    if (block !== 0) appendPast(txn, this.space, block, past)
  }

  readonly unwind: Branches['unwind'] = (txn, block, floor) =>
    this.consume(txn, block, block + 1, (_, past) => this.restore(txn, block, floor, past))

  readonly prune: Branches['prune'] = (txn, block) =>
    this.consume(txn, 0, block + 1, (changed, past) => this.forget(txn, changed, past))
}

export function createBranches(space: Space): Branches {
  return new StateBranches(space)
}
