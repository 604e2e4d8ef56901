import { bftSettingsAt } from '../forks/bftTransitions.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { BftConfig } from '../forks/consensusConfig.ts'

/** How soon blocks follow each other where nothing is wrong. */
export interface ExpectedPeriod {
  /** Seconds until the next block, also where it is empty. */
  readonly period: number
  /** Seconds that validators wait for a proposer that does not answer; 0 in Clique. */
  readonly timeout: number
}

/** How soon the block with this number follows its parent; undefined where blocks may wait for transactions without limit. */
export function expectedPeriod({ consensus }: ChainSpec, number: bigint): ExpectedPeriod | undefined {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return undefined
  const { successor } = consensus
  if (successor && number >= successor.startBlock) return bftPeriod(successor.config, number)
  if (consensus.kind !== 'clique') return bftPeriod(consensus, number)
  const { blockPeriodSeconds, createEmptyBlocks } = consensus
  return createEmptyBlocks && blockPeriodSeconds > 0 ? { period: blockPeriodSeconds, timeout: 0 } : undefined
}

function bftPeriod(config: BftConfig, number: bigint): ExpectedPeriod {
  const { blockPeriodSeconds, emptyBlockPeriodSeconds = 0 } = bftSettingsAt(config, number)
  const period = Math.max(blockPeriodSeconds, emptyBlockPeriodSeconds)
  return { period, timeout: config.requestTimeoutSeconds }
}
