import { concatBytes, emptyBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import { blockNumberCodec } from '../store/codec.ts'
import { code, type StateTables } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import { createStateView } from './createStateView.ts'
import { StateError } from './fault.ts'
import type { BlockChoice } from './flat.ts'
import { createSpace } from './space.ts'
import { createStateParts } from './stateParts.ts'
import { createStateTries, type StateTries } from './stateTries.ts'
import { computeUpdate, computeUpdateInSteps, type StateUpdate } from './update.ts'
import type { StateView } from './view.ts'

/** The newest block of a state and its root. */
export interface StateHead {
  readonly block: number
  readonly root: Hash32
}

/** A state with its history: readable at any block that was not pruned, committed and unwound block by block. */
export interface StateStore {
  /** Undefined before the first commit; with `upTo`, the newest that is not after that block. */
  head(reader: Reader, upTo?: number): StateHead | undefined
  at(reader: Reader, at: BlockChoice): StateView
  /** The same for many blocks of one view: what does not depend on the block is read once. */
  views(reader: Reader): (at: BlockChoice) => StateView
  /** The newest block after which the state has this root; undefined if that was more than `depth` blocks before the newest, or never. */
  blockOf(reader: Reader, root: Hash32, depth: number): BlockChoice | undefined
  /** The tries of the state at a block. */
  tries(reader: Reader, at: BlockChoice): StateTries
  /** The state root that `changes` on the newest state would lead to. */
  rootOf(reader: Reader, changes: StateChanges): Hash32
  /** The same in steps. */
  rootInSteps(reader: Reader, changes: StateChanges): Steps<Hash32>
  /** The state root that `changes` on an empty state lead to: that of a genesis allocation. */
  rootOfFresh(changes: StateChanges): Hash32
  /** Writes the `changes` of `block`, which follows the head; returns the new state root. */
  commit(txn: Transaction, block: number, changes: StateChanges): Hash32
  /** Says that what the tables have is the state after a block; those before it are not there. */
  begin(txn: Transaction, block: number, root: Hash32): void
  /** Undoes the changes of every block after `toBlock`. */
  unwind(txn: Transaction, toBlock: number): void
  /** The first block whose state was not deleted. */
  lowest(reader: Reader): number
  /** Deletes the states before `beforeBlock` or, if that is lower, before the head; that block stays readable. */
  prune(txn: Transaction, beforeBlock: number): void
}

const emptyReader: Reader = { get: () => undefined, peek: () => undefined, range: () => [] }

const newestBlock = 2 ** 48 - 1

function checkReadable(block: number, lowest: number): void {
  if (block < lowest) throw new StateError({ code: 'STATE_PRUNED', block, floor: lowest })
}

/** The tables of one state: flat values, branches of the trie, and what blocks have changed. */
class TrieStateStore implements StateStore {
  private readonly store: Store
  private readonly space: ReturnType<typeof createSpace>
  private readonly parts: ReturnType<typeof createStateParts>
  private readonly roots: StateTables['roots']
  private readonly floor: StateTables['floor']
  // LMDB has no empty keys.
  private readonly floorKey: Uint8Array
  // A block is proposed or verified before it is imported: its update is not computed twice.
  private readonly computed = new WeakMap<
    StateChanges,
    { readonly base: StateHead | undefined; readonly update: StateUpdate }
  >()

  constructor(store: Store, group: Uint8Array = emptyBytes, tables?: StateTables) {
    this.store = store
    this.space = createSpace(group, tables)
    this.parts = createStateParts(this.space)
    const { roots, floor } = this.space.tables
    this.roots = roots
    this.floor = floor
    this.floorKey = concatBytes(Uint8Array.of(0), group)
  }

  readonly head = (reader: Reader, upTo = newestBlock): StateHead | undefined => {
    for (const head of this.heads(reader, upTo, 1)) return head
    return undefined
  }

  /** Blocks with their roots, from `upTo` backwards. */
  private *heads(reader: Reader, upTo: number, limit: number): Iterable<StateHead> {
    const range = { reverse: true, limit, to: this.space.atBlock(0).subarray(0, -1), from: this.space.atBlock(upTo) }
    for (const [key, root] of reader.range(this.roots, range))
      yield { block: this.space.blockIn(key), root: root as Hash32 }
  }

  readonly blockOf: StateStore['blockOf'] = (reader, root, depth) => {
    let lowest: number | undefined
    for (const head of this.heads(reader, newestBlock, depth + 1)) {
      if (equalBytes(head.root, root))
        return lowest === undefined ? 'latest' : Math.max(head.block, this.floorOf(reader))
      lowest ??= head.block - depth
      // The one before the lowest block is that block's, if it has none of its own.
      if (head.block <= lowest) return undefined
    }
    return undefined
  }

  readonly tries: StateStore['tries'] = (reader, at) => {
    if (at !== 'latest') checkReadable(at, this.floorOf(reader))
    return createStateTries(this.parts, reader, at)
  }

  readonly lowest: StateStore['lowest'] = (reader) => this.floorOf(reader)

  private floorOf(reader: Reader): number {
    const stored = reader.peek(this.floor, this.floorKey)
    return stored === undefined ? 0 : blockNumberCodec.decode(stored)
  }

  readonly views = (reader: Reader): ((at: BlockChoice) => StateView) => {
    let latest: StateView | undefined
    let lowest: number | undefined
    return (at) => {
      if (at === 'latest') return (latest ??= createStateView(this.parts, reader, at))
      checkReadable(at, (lowest ??= this.floorOf(reader)))
      return createStateView(this.parts, reader, at)
    }
  }

  private *updateInSteps(reader: Reader, base: StateHead | undefined, changes: StateChanges): Steps<StateUpdate> {
    // Another store with the same head may have reached it by other blocks.
    if (!this.store.owns(reader)) throw new TypeError('the reader belongs to another store')
    const known = this.computed.get(changes)
    if (known !== undefined && sameHead(known.base, base)) return known.update
    return yield* computeUpdateInSteps(this.parts, reader, 'latest', changes)
  }

  *rootInSteps(reader: Reader, changes: StateChanges): Steps<Hash32> {
    const base = this.head(reader)
    const update = yield* this.updateInSteps(reader, base, changes)
    this.computed.set(changes, { base, update })
    return update.root
  }

  readonly at: StateStore['at'] = (reader, at) => this.views(reader)(at)

  readonly rootOf: StateStore['rootOf'] = (reader, changes) => runSteps(this.rootInSteps(reader, changes))

  readonly rootOfFresh: StateStore['rootOfFresh'] = (changes) =>
    computeUpdate(this.parts, emptyReader, 'latest', changes).root

  readonly commit: StateStore['commit'] = (txn, block, changes) => {
    const base = this.head(txn)
    if (base !== undefined && block <= base.block)
      throw new RangeError(`block ${block} cannot follow block ${base.block}`)
    const update = runSteps(this.updateInSteps(txn, base, changes))
    this.parts.accounts.write(txn, block, update.accounts)
    this.parts.slots.write(txn, block, update.slots)
    this.parts.branches.write(txn, block, update.branches)
    for (const { hash, code: bytes } of changes.codes)
      if (txn.peek(code, hash) === undefined) txn.put(code, hash, bytes)
    this.space.append(txn, this.roots, this.space.atBlock(block), update.root)
    return update.root
  }

  readonly begin: StateStore['begin'] = (txn, block, root) => {
    txn.put(this.roots, this.space.atBlock(block), root)
    txn.put(this.floor, this.floorKey, blockNumberCodec.encode(block))
  }

  readonly unwind: StateStore['unwind'] = (txn, toBlock) => {
    const pruned = this.floorOf(txn)
    checkReadable(toBlock, pruned)
    for (let now = this.head(txn); now !== undefined && now.block > toBlock; now = this.head(txn)) {
      this.parts.accounts.unwind(txn, now.block, pruned)
      this.parts.slots.unwind(txn, now.block, pruned)
      this.parts.branches.unwind(txn, now.block, pruned)
      txn.remove(this.roots, this.space.atBlock(now.block))
    }
  }

  readonly prune: StateStore['prune'] = (txn, beforeBlock) => {
    const lowest = Math.min(beforeBlock, this.head(txn)?.block ?? 0)
    if (lowest <= this.floorOf(txn)) return
    this.parts.accounts.prune(txn, lowest)
    this.parts.slots.prune(txn, lowest)
    this.parts.branches.prune(txn, lowest)
    // The newest of them is that of the floor, which may lie between two blocks with changes.
    const past = [...txn.range(this.roots, { from: this.space.atBlock(0), to: this.space.atBlock(lowest + 1) })]
    for (const [key] of past.slice(0, -1)) txn.remove(this.roots, key)
    txn.put(this.floor, this.floorKey, blockNumberCodec.encode(lowest))
  }
}

/** The chain's own state in `store`, or that of a privacy group; all groups have ids of one length. */
export function createStateStore(store: Store, group: Uint8Array = emptyBytes, tables?: StateTables): StateStore {
  return new TrieStateStore(store, group, tables)
}

function sameHead(a: StateHead | undefined, b: StateHead | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.block === b.block && equalBytes(a.root, b.root)
}
