import { createEvm } from '../evm/createEvm.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { BlockOverrides } from './blockOverrides.ts'
import { type BlockProgress, createBlockProgress } from './blockProgress.ts'
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
  /** The same, or on the development network one that records what contracts print. */
  readonly calls: TrialEvm
  /** Tells of each step. */
  readonly trace: TrialEvm
  /** How far `fast` has run the block whose transactions are traced one by one. */
  readonly progress: BlockProgress
}

/** `watched` is an account whose use by calls is recorded. */
export function createEvms(blocks: NetworkBlocks = {}, watched?: WatchedAccount): Evms {
  const fast = createTrialEvm(createEvm('fast', { isTrial: true }))
  return {
    ...blocks,
    fast,
    calls: watched ? createWatchedCalls(watched, createEvm('fast', { isTrial: true })) : fast,
    trace: createTrialEvm(createEvm('exact', { isTrial: true })),
    progress: createBlockProgress(),
  }
}
