import type { ChainView } from '../chain/view.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { effectiveGasPriceOf } from '../types/transaction.ts'
import type { MinerData } from './objects/minerData.ts'

/** What a block pays its producer by itself: set by the fork, or by an engine that has rewards of its own. */
export function blockReward({ consensus }: ChainSpec, rules: Rules): bigint {
  switch (consensus.kind) {
    case 'ibft2':
    case 'qbft':
      return consensus.blockReward
    case 'clique':
      return 0n
    default:
      return rules.blockReward
  }
}

/** What the producer of a known block earned by it. */
export function minerDataOf(chain: ChainView, hash: Hash32): MinerData | undefined {
  const sealed = chain.blockBy(hash)
  if (!sealed) return undefined
  const { header, block } = sealed
  const receipts = chain.receipts(hash) ?? []
  const staticReward = blockReward(chain.spec, chain.rulesOf(header))
  let transactionFee = 0n
  for (const [i, { gasUsed }] of receipts.entries())
    transactionFee += gasUsed * effectiveGasPriceOf(block.transactions[i]!, header.baseFee ?? 0n)
  return {
    header,
    hash,
    staticReward,
    transactionFee,
    uncleInclusionReward: (staticReward * BigInt(block.ommers.length)) / 32n,
    ommers: block.ommers,
    totalDifficulty: chain.totalDifficulty(hash) ?? 0n,
  }
}
