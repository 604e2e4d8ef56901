import { bftSettingsAt, blockPeriodOf, cliqueSettingsAt, nextMoment } from '../../forks/bftTransitions.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { Header } from '../../types/header.ts'

/**
 * Milliseconds after which a late block is no longer waited for. Where all blocks are late, transactions would not get
 * into the pool otherwise, and nobody could see how many there are.
 */
const patience = 5000

/** Block period in seconds of a proof-of-authority network; undefined for others. */
export function periodAfter({ consensus }: ChainSpec, header: Header): number | undefined {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return undefined
  const next = nextMoment(header)
  const { successor } = consensus
  if (successor && next.number >= successor.startBlock)
    return blockPeriodOf(bftSettingsAt(successor.config, next)) / 1000
  if (consensus.kind === 'clique') return cliqueSettingsAt(consensus, next).blockPeriodSeconds
  return blockPeriodOf(bftSettingsAt(consensus, next)) / 1000
}

/** Whether validators should be making the block after this head now; `now` is in milliseconds since 1970. */
export function isBlockDue(spec: ChainSpec, head: Header, now: number): boolean {
  const period = periodAfter(spec, head)
  // With a period of 0 blocks are made when transactions arrive.
  if (!period) return false
  // Timestamps have whole seconds.
  const late = now - (Number(head.timestamp) + Math.ceil(period)) * 1000
  return late >= 0 && late < patience
}
