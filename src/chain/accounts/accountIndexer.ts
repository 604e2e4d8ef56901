import type { Clock } from '../../primitives/clock.ts'
import type { Logger } from '../../primitives/logger.ts'
import type { BlockRange } from '../../store/chainTables.ts'
import type { Store } from '../../store/openStore.ts'
import type { Transaction } from '../../store/table.ts'
import { createSlices } from '../rebuild/slices.ts'
import { canonicalKey, readBody, readMark, readReceipts } from '../records.ts'
import { indexBlock, readIndexRange } from './accountIndex.ts'

export interface AccountIndexerParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds between two lines that say how far it is. */
const reportEvery = 10_000

/** Next block to index: those after the last first, because new blocks wait for them, then those before the first. */
function nextBlock({ first, last }: BlockRange, head: number): number | undefined {
  if (last < head) return last + 1
  return first > 0 ? first - 1 : undefined
}

/** Indexes the accounts of blocks that were imported while that was off, in the background; `stop` ends it. */
export function startAccountIndexer({ store, clock, log }: AccountIndexerParts): { stop(): void } {
  const slices = createSlices(clock)
  let reported = clock.now()
  let isWorking = false

  function indexNext(txn: Transaction, range: BlockRange, number: number): BlockRange {
    const key = canonicalKey(txn, BigInt(number))!
    return indexBlock(txn, number, readBody(txn, key)!.transactions, readReceipts(txn, key)!, range)
  }

  function report(range: BlockRange, head: number): void {
    if (isWorking && clock.now() < reported + reportEvery) return
    isWorking = true
    reported = clock.now()
    log.info({ ...range, head }, 'indexing accounts: blocks {first} to {last} of {head} are indexed')
  }

  const slice = (goOn: () => boolean): boolean =>
    store.write((txn) => {
      const head = readMark(txn, 'head')!.number
      let range = readIndexRange(txn)!
      for (;;) {
        const number = nextBlock(range, head)
        if (number === undefined) return true
        report(range, head)
        if (!goOn()) return false
        range = indexNext(txn, range, number)
      }
    })

  const done = () => void (isWorking && log.info({}, 'accounts of all blocks are indexed'))
  const fail = (error: unknown) => log.error({ error: String(error) }, 'indexing accounts failed')
  const isBehind = store.read((reader) => {
    const range = readIndexRange(reader)
    return range !== undefined && nextBlock(range, readMark(reader, 'head')!.number) !== undefined
  })
  if (isBehind) slices.run(slice, done, fail)
  return { stop: slices.stop }
}
