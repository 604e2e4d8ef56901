import type { Evm } from '../evm/evm.ts'
import {
  applyInSteps,
  type BlockContext,
  type BlockOutcome,
  startBlock,
  verifyOutcome,
} from '../execution/applyBlock.ts'
import { checkMadeSize } from '../execution/blockSize.ts'
import { completeHeader } from '../execution/completeHeader.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import type { Steps } from '../primitives/steps.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Reader } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { Maker, Select } from './chain.ts'
import type { ConsensusEngine } from './engine.ts'
import { createEvmCache, type EvmCache } from './evmCache.ts'
import { createPermissionCheck, type TxPermission } from './permissionCheck.ts'
import type { HashedBlock } from './view.ts'

/** A block with what running it changed. */
export interface ExecutedBlock extends HashedBlock {
  readonly outcome: BlockOutcome
}

export interface BlockRunnerParts {
  readonly spec: ChainSpec
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'hash' | 'beneficiary' | 'reward'>
  /** Nobody else uses it. */
  readonly evm: Evm
  /** Account permissioning; if absent, all transactions are permitted. */
  readonly permits?: TxPermission | undefined
}

/** Runs blocks on the head, one at a time, in one EVM: of a run that was overtaken no further step may be done. */
export interface BlockRunner extends Pick<EvmCache, 'onCommitted' | 'forget'> {
  /** Runs a block whose parent is the head; a BlockError says what differs from its header, except for the state root. */
  run(reader: Reader, hashed: HashedBlock, rules: Rules): Steps<ExecutedBlock>
  /**
   * Runs the transactions that `select` picks for a draft on the head and completes its header; undefined if it abandons the block.
   * A BlockError says that it is too large.
   */
  runDraft(reader: Reader, draft: Block, select: Select, maker: Maker): Steps<ExecutedBlock | undefined>
}

/** A runner whose EVM has cached nothing yet. */
export function createBlockRunner(parts: BlockRunnerParts): BlockRunner {
  const { spec, states, consensus, evm } = parts
  const cache = createEvmCache(evm, states)
  const permission = createPermissionCheck(parts)

  function contextOf(reader: Reader, { header }: Block, rules: Rules, maker: Maker = {}): BlockContext {
    const beneficiary = maker.beneficiary ?? consensus.beneficiary(header)
    const reward = consensus.reward(header)
    return {
      spec,
      rules,
      rootOf: (changes) => states.rootOf(reader, changes),
      ...(beneficiary && { beneficiary }),
      ...(reward !== undefined && { reward }),
    }
  }

  return {
    *run(reader, hashed, rules) {
      const { block, hash } = hashed
      cache.prepare(reader, block.header.parentHash)
      yield* permission.checkBlock(reader, evm, block)
      const outcome = yield* applyInSteps(evm, block, contextOf(reader, block, rules))
      yield
      yield* verifyOutcome(block, outcome, rules)
      cache.onExecuted(hash)
      return { ...hashed, outcome }
    },
    *runDraft(reader, draft, select, maker) {
      const rules = spec.rulesAt(draft.header)
      cache.prepare(reader, draft.header.parentHash)
      const blockRun = permission.guard(reader, startBlock(evm, draft, contextOf(reader, draft, rules, maker)))
      const transactions = yield* select(blockRun)
      if (!transactions) return undefined
      const outcome = blockRun.finish()
      yield
      const stateRoot = yield* states.rootInSteps(reader, outcome.changes)
      yield
      const unsealed = yield* completeHeader(draft, transactions, outcome, stateRoot, rules)
      const header = maker.seal?.(unsealed) ?? unsealed
      const block = { ...draft, transactions, header }
      checkMadeSize(block, rules)
      const hash: Hash32 = consensus.hash(header)
      cache.onExecuted(hash)
      return { header, hash, block, outcome }
    },
    onCommitted: cache.onCommitted,
    forget: cache.forget,
  }
}
