import type { Evm } from '../evm/evm.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { createHost } from '../state/createHost.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Transaction } from '../store/table.ts'
import { canonicalKey } from './records.ts'

/** The interpreter, and which block's state its memory stands for. */
export interface Stage {
  /** Readies the interpreter on the state after the head; what it remembers of that state is kept. */
  standOn(txn: Transaction, head: Hash32): void
  /** A block was run to its end: its changes lie in memory until it is written or another one runs. */
  ran(block: Hash32): void
  /** A block was written and is the head: the changes in memory are the state's own, if they are that block's. */
  wrote(block: Hash32): void
  /** The state is not what memory stands for any more. */
  forget(): void
}

/** Bytes of linear memory from which on the interpreter starts with an empty cache again. */
const cacheLimit = 256 << 20

/** Keeps the interpreter's cache from block to block, whichever blocks are run and whichever of them are written. */
export function createStage(evm: Evm, states: StateStore): Stage {
  /** Block whose state is cached; undefined when none is. */
  let base: Hash32 | undefined
  /** What lies on top: nothing, a block that was run to its end, or one that was not. */
  let onTop: Hash32 | 'unfinished' | undefined

  return {
    standOn(txn, head) {
      const ready = base !== undefined && equalBytes(base, head) && onTop === undefined
      if (!ready || evm.memoryBytes() >= cacheLimit)
        evm.reset(createHost(states.at(txn, 'latest'), (number) => canonicalKey(txn, number)?.hash))
      base = head
      onTop = 'unfinished'
    },
    ran(block) {
      onTop = block
    },
    wrote(block) {
      const isOnTop = onTop !== undefined && onTop !== 'unfinished' && equalBytes(onTop, block)
      if (isOnTop) evm.flushed()
      base = isOnTop ? block : undefined
      onTop = undefined
    },
    forget() {
      base = undefined
      // What was run on it does not count either: it lies on a host that may be gone.
      onTop = undefined
    },
  }
}
