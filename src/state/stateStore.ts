import { concatBytes, emptyBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import { blockNumberCodec } from '../store/codec.ts'
import type { Store } from '../store/openStore.ts'
import { code, type StateTables } from '../store/schema.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import { createStateView } from './createStateView.ts'
import { StateError } from './fault.ts'
import type { BlockChoice } from './flat.ts'
import { createSpace } from './space.ts'
import { createStateParts } from './stateParts.ts'
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
  /** The state root that `changes` on the newest state would lead to. */
  rootOf(reader: Reader, changes: StateChanges): Hash32
  /** The same in steps. */
  rootInSteps(reader: Reader, changes: StateChanges): Steps<Hash32>
  /** The state root that `changes` on an empty state lead to: that of a genesis allocation. */
  rootOfFresh(changes: StateChanges): Hash32
  /** Writes the `changes` of `block`, which follows the head; returns the new state root. */
  commit(txn: Transaction, block: number, changes: StateChanges): Hash32
  /** Undoes the changes of every block after `toBlock`. */
  unwind(txn: Transaction, toBlock: number): void
  /** Deletes the states before `beforeBlock` or, if that is lower, before the head; that block stays readable. */
  prune(txn: Transaction, beforeBlock: number): void
}

const emptyReader: Reader = { get: () => undefined, peek: () => undefined, range: () => [] }

/** The chain's own state in `store`, or that of a privacy group; all groups have ids of one length. */
export function createStateStore(store: Store, group: Uint8Array = emptyBytes, tables?: StateTables): StateStore {
  const space = createSpace(group, tables)
  const parts = createStateParts(space)
  const { roots, floor } = space.tables
  // LMDB has no empty keys.
  const floorKey = concatBytes(Uint8Array.of(0), group)
  // A block is proposed or verified before it is imported: its update is not computed twice.
  const computed = new WeakMap<StateChanges, { readonly base: StateHead | undefined; readonly update: StateUpdate }>()

  function head(reader: Reader, upTo = 2 ** 48 - 1): StateHead | undefined {
    const range = { reverse: true, limit: 1, to: space.atBlock(0).subarray(0, -1), from: space.atBlock(upTo) }
    for (const [key, root] of reader.range(roots, range)) return { block: space.blockIn(key), root: root as Hash32 }
    return undefined
  }

  function floorOf(reader: Reader): number {
    const stored = reader.peek(floor, floorKey)
    return stored === undefined ? 0 : blockNumberCodec.decode(stored)
  }

  function checkReadable(block: number, lowest: number): void {
    if (block < lowest) throw new StateError({ code: 'STATE_PRUNED', block, floor: lowest })
  }

  function views(reader: Reader): (at: BlockChoice) => StateView {
    let latest: StateView | undefined
    let lowest: number | undefined
    return (at) => {
      if (at === 'latest') return (latest ??= createStateView(parts, reader, at))
      checkReadable(at, (lowest ??= floorOf(reader)))
      return createStateView(parts, reader, at)
    }
  }

  function* updateInSteps(reader: Reader, base: StateHead | undefined, changes: StateChanges): Steps<StateUpdate> {
    // Another store with the same head may have reached it by other blocks.
    if (!store.owns(reader)) throw new TypeError('the reader belongs to another store')
    const known = computed.get(changes)
    if (known !== undefined && sameHead(known.base, base)) return known.update
    return yield* computeUpdateInSteps(parts, reader, 'latest', changes)
  }

  function* rootInSteps(reader: Reader, changes: StateChanges): Steps<Hash32> {
    const base = head(reader)
    const update = yield* updateInSteps(reader, base, changes)
    computed.set(changes, { base, update })
    return update.root
  }

  return {
    head,
    at: (reader, at) => views(reader)(at),
    views,
    rootOf: (reader, changes) => runSteps(rootInSteps(reader, changes)),
    rootInSteps,
    rootOfFresh: (changes) => computeUpdate(parts, emptyReader, 'latest', changes).root,
    commit(txn, block, changes) {
      const base = head(txn)
      if (base !== undefined && block <= base.block)
        throw new RangeError(`block ${block} cannot follow block ${base.block}`)
      const update = runSteps(updateInSteps(txn, base, changes))
      parts.accounts.write(txn, block, update.accounts)
      parts.slots.write(txn, block, update.slots)
      parts.branches.write(txn, block, update.branches)
      for (const { hash, code: bytes } of changes.codes)
        if (txn.peek(code, hash) === undefined) txn.put(code, hash, bytes)
      space.append(txn, roots, space.atBlock(block), update.root)
      return update.root
    },
    unwind(txn, toBlock) {
      const pruned = floorOf(txn)
      checkReadable(toBlock, pruned)
      for (let now = head(txn); now !== undefined && now.block > toBlock; now = head(txn)) {
        parts.accounts.unwind(txn, now.block, pruned)
        parts.slots.unwind(txn, now.block, pruned)
        parts.branches.unwind(txn, now.block, pruned)
        txn.remove(roots, space.atBlock(now.block))
      }
    },
    prune(txn, beforeBlock) {
      const lowest = Math.min(beforeBlock, head(txn)?.block ?? 0)
      if (lowest <= floorOf(txn)) return
      parts.accounts.prune(txn, lowest)
      parts.slots.prune(txn, lowest)
      parts.branches.prune(txn, lowest)
      // The newest of them is that of the floor, which may lie between two blocks with changes.
      const past = [...txn.range(roots, { from: space.atBlock(0), to: space.atBlock(lowest + 1) })]
      for (const [key] of past.slice(0, -1)) txn.remove(roots, key)
      txn.put(floor, floorKey, blockNumberCodec.encode(lowest))
    },
  }
}

function sameHead(a: StateHead | undefined, b: StateHead | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.block === b.block && equalBytes(a.root, b.root)
}
