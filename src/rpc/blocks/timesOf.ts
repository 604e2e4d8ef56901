import type { ChainView, PlacedLog } from '../../chain/view.ts'

/** Finds the time of logs' blocks, in seconds. */
export function timesOf(chain: ChainView): (log: PlacedLog) => number {
  const times = new Map<bigint, number>()
  return ({ blockNumber, blockHash }) => {
    const known = times.get(blockNumber)
    if (known !== undefined) return known
    const time = Number(chain.headerBy(blockHash)!.header.timestamp)
    times.set(blockNumber, time)
    return time
  }
}
