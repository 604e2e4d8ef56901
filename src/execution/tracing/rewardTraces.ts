import type { Address } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import type { FlatTrace } from './flatTrace.ts'

function rewardTrace(author: Address, rewardType: 'block' | 'uncle', value: bigint): FlatTrace {
  const nothing = { result: null, error: undefined, revertReason: undefined, subtraces: 0, traceAddress: [] }
  return { type: 'reward', action: { author, rewardType, value }, ...nothing }
}

/** What a block pays its producer and those of its ommers. */
export function rewardTraces({ header, ommers }: Block, producer: Address, reward: bigint): FlatTrace[] {
  const own = reward + (reward / 32n) * BigInt(ommers.length)
  return [
    rewardTrace(producer, 'block', own),
    ...ommers.map((ommer) =>
      rewardTrace(ommer.beneficiary, 'uncle', (reward * (8n + ommer.number - header.number)) / 8n),
    ),
  ]
}
