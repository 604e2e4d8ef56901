import { bftSettingsAt } from '../../forks/bftTransitions.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { Header } from '../../types/header.ts'

/** Milliseconds after which a block that is due is not expected any more: the network may stand still. */
const patience = 5000

/** Seconds between the blocks of an authority network; undefined on others. */
function periodAfter({ consensus }: ChainSpec, { number }: Header): number | undefined {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return undefined
  const next = number + 1n
  const { successor } = consensus
  if (successor && next >= successor.startBlock) return bftSettingsAt(successor.config, next).blockPeriodSeconds
  return consensus.kind === 'clique' ? consensus.blockPeriodSeconds : bftSettingsAt(consensus, next).blockPeriodSeconds
}

/** Whether the block after this head is being made, by the time of day in milliseconds. */
export function isBlockDue(spec: ChainSpec, head: Header, now: number): boolean {
  const period = periodAfter(spec, head)
  // Without a period blocks come as transactions do.
  if (!period) return false
  const late = now - (Number(head.timestamp) + period) * 1000
  return late >= 0 && late < patience
}
