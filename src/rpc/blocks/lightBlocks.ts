import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'

/** Gas of blocks that are executed again, and of blocks whose logs are searched, in one or two milliseconds. */
const lightGas = { replay: 150_000n, logs: 2_000_000n }
/** Blocks that such a search looks at. */
const maxSearched = 20n

/** Whether a block is executed again at once; an unknown one is known to be missing at once. */
export function isLightReplay(found: HashedHeader | undefined): boolean {
  return !found || found.header.gasUsed <= lightGas.replay
}

/** The same for the block of a transaction. */
export function isInLightBlock(chain: ChainView, tx: Hash32): boolean {
  const place = chain.findTx(tx)
  return isLightReplay(place && chain.headerAt(place.blockNumber))
}

/** Whether the logs of a block are found at once. */
export function hasFewLogs(found: HashedHeader | undefined): boolean {
  return !found || found.header.gasUsed <= lightGas.logs
}

/** Whether the logs of a range of blocks are found at once. */
export function isLightSearch(chain: ChainView, first: bigint, last: bigint): boolean {
  if (last - first >= maxSearched) return false
  let gas = 0n
  for (let number = first; number <= last && gas <= lightGas.logs; number++)
    gas += chain.headerAt(number)?.header.gasUsed ?? 0n
  return gas <= lightGas.logs
}
