import type { Reader } from '../../store/table.ts'
import { canonicalKey, readLogs } from '../records.ts'
import type { LogConditions, LogsOfBlock, PlacedLog } from '../view.ts'
import { candidateBlocks } from './candidateBlocks.ts'

/** Blocks that are looked through at once: more, the fewer of them have such logs. */
const first = 256
const most = 65_536
/** Blocks with such logs that are enough for one piece. */
const enough = 16

/** Blocks that may have a log which one of the queries matches, from `from` downwards. */
function* latestCandidates(reader: Reader, queries: readonly LogConditions[], from: number): Iterable<number> {
  for (let to = from, size = first; to >= 0; ) {
    const start = Math.max(0, to - size + 1)
    const found = new Set<number>()
    for (const query of queries) {
      const range = { ...query, fromBlock: BigInt(start), toBlock: BigInt(to) }
      for (const number of candidateBlocks(reader, range, start, to)) found.add(number)
    }
    yield* [...found].sort((a, b) => b - a)
    if (found.size < enough) size = Math.min(4 * size, most)
    to = start - 1
  }
}

/** The canonical logs that one of the queries matches, from a block downwards, block by block; the last log of each comes first. */
export function* latestLogs(reader: Reader, queries: readonly LogConditions[], from: number): Iterable<LogsOfBlock> {
  for (const number of latestCandidates(reader, queries, from)) {
    const key = canonicalKey(reader, BigInt(number))!
    const logs = new Map<number, PlacedLog>()
    for (const query of queries) for (const log of readLogs(reader, key, query)) logs.set(log.logIndex, log)
    yield { blockNumber: BigInt(number), logs: [...logs.values()].sort((a, b) => b.logIndex - a.logIndex) }
  }
}
