import { bftSettingsAt, blockPeriodOf, cliqueSettingsAt, type Moment } from '../forks/bftTransitions.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { BftConfig } from '../forks/consensusConfig.ts'

/** How soon blocks follow each other where nothing is wrong. */
export interface ExpectedPeriod {
  /** Seconds until the next block, also where it is empty. */
  readonly period: number
  /** Seconds that validators wait for a proposer that does not answer; 0 in Clique. */
  readonly timeout: number
}

/** How soon a block follows its parent; undefined where blocks may wait for transactions without limit. */
export function expectedPeriod({ consensus }: ChainSpec, block: Moment): ExpectedPeriod | undefined {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return undefined
  const { successor } = consensus
  if (successor && block.number >= successor.startBlock) return bftPeriod(successor.config, block)
  if (consensus.kind !== 'clique') return bftPeriod(consensus, block)
  const { blockPeriodSeconds, createEmptyBlocks } = cliqueSettingsAt(consensus, block)
  return createEmptyBlocks && blockPeriodSeconds > 0 ? { period: blockPeriodSeconds, timeout: 0 } : undefined
}

function bftPeriod(config: BftConfig, block: Moment): ExpectedPeriod {
  const settings = bftSettingsAt(config, block)
  const period = Math.max(blockPeriodOf(settings) / 1000, settings.emptyBlockPeriodSeconds ?? 0)
  return { period, timeout: config.requestTimeoutSeconds }
}
