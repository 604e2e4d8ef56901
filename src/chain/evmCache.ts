import type { Evm } from '../evm/evm.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { createHost } from '../state/createHost.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Reader } from '../store/table.ts'
import { canonicalKey } from './records.ts'

/** Knows which block's state the memory of an EVM holds, so that what was read for one block serves the next. */
export interface EvmCache {
  /** Makes the EVM ready to run on the state of the head; what it has cached of that state is kept, and so is the reader. */
  prepare(reader: Reader, head: Hash32): void
  /** A block was run to its end: its changes are in memory until it is committed or another block runs. */
  onExecuted(block: Hash32): void
  /** A block was written and is the head: if the changes in memory are its own, they become part of the cached state. */
  onCommitted(block: Hash32): void
  /** The state is no longer the cached one. */
  forget(): void
}

/** Bytes of linear memory from which on the cache is emptied before the next block. */
const cacheLimit = 256 << 20

/** A cache for one EVM; everything that runs a block in that EVM must go through it. */
export function createEvmCache(evm: Evm, states: StateStore): EvmCache {
  /** Where the EVM reads what it has not cached. */
  let source: Reader | undefined
  /** Block whose state is cached; undefined if none is. */
  let base: Hash32 | undefined
  /** Changes on top of that state: none, those of a finished block, or those of a block that was not finished. */
  let onTop: Hash32 | 'unfinished' | undefined

  return {
    prepare(reader, head) {
      const ready = source === reader && base !== undefined && equalBytes(base, head) && onTop === undefined
      if (!ready || evm.memoryBytes() >= cacheLimit)
        evm.reset(createHost(states.at(reader, 'latest'), (number) => canonicalKey(reader, number)?.hash))
      source = reader
      base = head
      onTop = 'unfinished'
    },
    onExecuted(block) {
      onTop = block
    },
    onCommitted(block) {
      const isOnTop = onTop !== undefined && onTop !== 'unfinished' && equalBytes(onTop, block)
      if (isOnTop) evm.flushed()
      base = isOnTop ? block : undefined
      onTop = undefined
    },
    forget() {
      base = undefined
      // The changes on top go too: they belong to a host that may be gone.
      onTop = undefined
    },
  }
}
