import type { Evm } from '../../evm/evm.ts'
import { applyBlock, verifyOutcome, verifyStateRoot } from '../../execution/applyBlock.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { StateStore } from '../../state/stateStore.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import type { Block } from '../../types/block.ts'
import type { ConsensusEngine } from '../engine.ts'
import { allocation } from '../genesis.ts'
import { canonicalKey, isCanonicalKey, readBody, readMark, requireHeader } from '../records.ts'
import { createStage } from '../stage.ts'

export interface RebuildParts {
  readonly spec: ChainSpec
  readonly consensus: Pick<ConsensusEngine, 'beneficiary' | 'reward'>
  /** Runs the blocks; nobody else uses it meanwhile. */
  readonly evm: Evm
  /** The state that is built up, empty at first. */
  readonly state: StateStore
  /** Blocks behind the head whose states are kept; 0 keeps all. */
  readonly historyBlocks: number
}

/** A state that is built up from the blocks, in as many steps as one likes. */
export interface Rebuild {
  /** Number of the block whose state it is; -1 before the genesis block. */
  number(): number
  /** Follows the canonical chain while `goOn` says so. A BlockError tells of a block that does not lead to its root. */
  advance(txn: Transaction, goOn: () => boolean): void
  /** Whether it is the state of the head. */
  isComplete(txn: Transaction): boolean
}

/** Starts from nothing: every block is run and its outcome compared with its header, up to the state root. */
export function createRebuild({ spec, consensus, evm, state, historyBlocks }: RebuildParts): Rebuild {
  const stage = createStage(evm, state)
  let done: BlockKey | undefined

  function blockAt(txn: Transaction, key: BlockKey): Block {
    const body = readBody(txn, key)
    if (!body) throw new Error(`the store lacks the body of block ${key.number}`)
    return { header: requireHeader(txn, key).header, ...body }
  }

  function run(txn: Transaction, parent: BlockKey, key: BlockKey): void {
    const block = blockAt(txn, key)
    const rules = spec.rulesAt(block.header)
    const beneficiary = consensus.beneficiary(block.header)
    const reward = consensus.reward(block.header)
    stage.standOn(txn, parent.hash)
    const outcome = applyBlock(evm, block, {
      spec,
      rules,
      rootOf: (changes) => state.rootOf(txn, changes),
      ...(beneficiary && { beneficiary }),
      ...(reward !== undefined && { reward }),
    })
    verifyOutcome(block, outcome, rules)
    verifyStateRoot(block, state.commit(txn, key.number, outcome.changes))
    stage.ran(key.hash)
    stage.wrote(key.hash)
  }

  function begin(txn: Transaction): BlockKey {
    const key = canonicalKey(txn, 0n)!
    verifyStateRoot(blockAt(txn, key), state.commit(txn, 0, allocation(spec.genesis.alloc)))
    return key
  }

  /** Takes back blocks that are not canonical any more. */
  function follow(txn: Transaction, last: BlockKey): BlockKey {
    let key = last
    while (!isCanonicalKey(txn, key)) key = { number: key.number - 1, hash: requireHeader(txn, key).header.parentHash }
    if (key === last) return last
    state.unwind(txn, key.number)
    stage.forget()
    return key
  }

  return {
    number: () => done?.number ?? -1,
    advance(txn, goOn) {
      let last = done ? follow(txn, done) : begin(txn)
      while (goOn()) {
        const next = canonicalKey(txn, BigInt(last.number + 1))
        if (!next) break
        run(txn, last, next)
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
