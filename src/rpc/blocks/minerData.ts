import type { ChainView } from '../../chain/view.ts'
import type { Rules } from '../../forks/rules.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { Evms } from '../../query/evms.ts'
import type { Header } from '../../types/header.ts'
import { effectiveGasPriceOf } from '../../types/transaction.ts'
import type { MinerData } from '../objects/minerData.ts'

/** What a block pays its producer by itself: set by a consensus engine that has rewards of its own, otherwise by the fork. */
export function blockReward({ rewardOf }: Pick<Evms, 'rewardOf'>, header: Header, rules: Rules): bigint {
  return rewardOf?.(header) ?? rules.blockReward
}

interface MinerDataPorts {
  readonly chain: ChainView
  readonly evms: Evms
}

/** What the producer of a block earned; undefined if the block is unknown. */
export function minerDataOf({ chain, evms }: MinerDataPorts, hash: Hash32): MinerData | undefined {
  const hashed = chain.blockBy(hash)
  if (!hashed) return undefined
  const { header, block } = hashed
  const receipts = chain.receipts(hash) ?? []
  const staticReward = blockReward(evms, header, chain.rulesOf(header))
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
