import type { Evm } from '../../evm/evm.ts'
import { verifyStateRoot } from '../../execution/applyBlock.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { runSteps } from '../../primitives/steps.ts'
import type { StateStore } from '../../state/stateStore.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import { createBlockRunner } from '../blockRunner.ts'
import type { ConsensusEngine } from '../engine.ts'
import { allocation } from '../genesis.ts'
import { canonicalKey, isCanonicalKey, readMark, requireBlock, requireHeaderRecord } from '../records.ts'

export interface RebuildParts {
  readonly spec: ChainSpec
  readonly consensus: Pick<ConsensusEngine, 'hash' | 'beneficiary' | 'reward'>
  /** Runs the blocks; nobody else uses it. */
  readonly evm: Evm
  /** The state that is rebuilt, empty at first. */
  readonly state: StateStore
  /** Blocks behind the head whose states are kept; 0 keeps all. */
  readonly historyBlocks: number
}

/** Rebuilds a state from the blocks, in any number of steps. */
export interface Rebuild {
  /** Number of the last block that was run; -1 before the genesis block. */
  number(): number
  /** Runs canonical blocks while `goOn` returns true. A BlockError says that a block does not lead to its state root. */
  advance(txn: Transaction, goOn: () => boolean): void
  /** Whether the state of the head is reached. */
  isComplete(txn: Transaction): boolean
}

/** Starts from the genesis allocation; the outcome of every block is compared with its header, state root included. */
export function createRebuild({ spec, consensus, evm, state, historyBlocks }: RebuildParts): Rebuild {
  const runner = createBlockRunner({ spec, states: state, consensus, evm })
  let done: BlockKey | undefined

  function run(txn: Transaction, key: BlockKey): void {
    const hashed = requireBlock(txn, key)
    const { outcome } = runSteps(runner.run(txn, hashed, spec.rulesAt(hashed.header)))
    verifyStateRoot(hashed.block, state.commit(txn, key.number, outcome.changes))
    runner.onCommitted(key.hash)
  }

  function begin(txn: Transaction): BlockKey {
    const key = canonicalKey(txn, 0n)!
    verifyStateRoot(requireBlock(txn, key).block, state.commit(txn, 0, allocation(spec.genesis.alloc)))
    return key
  }

  /** Unwinds blocks that are no longer canonical. */
  function follow(txn: Transaction, last: BlockKey): BlockKey {
    let key = last
    while (!isCanonicalKey(txn, key))
      key = { number: key.number - 1, hash: requireHeaderRecord(txn, key).header.parentHash }
    if (key === last) return last
    state.unwind(txn, key.number)
    runner.forget()
    return key
  }

  return {
    number: () => done?.number ?? -1,
    advance(txn, goOn) {
      let last = done ? follow(txn, done) : begin(txn)
      while (goOn()) {
        const next = canonicalKey(txn, BigInt(last.number + 1))
        if (!next) break
        run(txn, next)
        last = next
      }
      if (historyBlocks > 0) state.prune(txn, readMark(txn, 'head')!.number - historyBlocks)
      done = last
    },
    isComplete(txn) {
      const head = readMark(txn, 'head')!
      return done !== undefined && done.number === head.number && isCanonicalKey(txn, done)
    },
  }
}
