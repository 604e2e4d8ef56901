import { createEvm } from '../evm/evm.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { BlockOverrides } from './blockOverrides.ts'
import { type BlockProgress, createBlockProgress } from './blockProgress.ts'
import { boundedEvm, unlimitedWork, type Work } from './boundedEvm.ts'
import { createTrialEvm, type TrialEvm } from './trialEvm.ts'
import { createWatchedCalls, type WatchedAccount } from './watchedCalls.ts'

/** What the consensus engine decides about the fees and the reward of a block. */
interface BlockIncome {
  /** The account that gets the fees of a block, if it is not the header's coinbase. */
  beneficiaryOf?(header: Header): Address | undefined
  /** The block reward, if the consensus engine sets it and not the fork. */
  rewardOf?(header: Header): bigint | undefined
}

/** What the network decides about blocks. */
interface NetworkBlocks extends BlockIncome {
  /** What users have set for the next block, where they may: estimates and calls on the pending block run in it. */
  nextBlock?(): BlockOverrides
}

/** Interpreters for calls, traces and simulations. */
export interface Evms extends NetworkBlocks {
  readonly fast: TrialEvm
  /** The same, or one that hears what calls tell. */
  readonly calls: TrialEvm
  /** Tells of each step. */
  readonly trace: TrialEvm
  /** How far `fast` has run the block whose transactions are traced one by one. */
  readonly progress: BlockProgress
  /** Runs something in which all code together may spend this gas, whatever gas it has; throws a LongRunError if it needs more. */
  within<T>(gas: bigint, run: () => T): T
}

/** `watched` is an account whose use by calls is heard. */
export function createEvms(blocks: NetworkBlocks = {}, watched?: WatchedAccount): Evms {
  const work: Work = { left: unlimitedWork }
  const open = () => boundedEvm(createEvm('sliced', { isTrial: true }), work)
  const fast = createTrialEvm(open())
  return {
    ...blocks,
    fast,
    calls: watched ? createWatchedCalls(watched, open()) : fast,
    trace: createTrialEvm(boundedEvm(createEvm('trace', { isTrial: true }), work)),
    progress: createBlockProgress(),
    within(gas, run) {
      work.left = gas
      try {
        return run()
      } finally {
        work.left = unlimitedWork
      }
    },
  }
}
