import type { BlockRange } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createSlices } from '../rebuild/slices.ts'
import { canonicalKey, readBody, readMark, readReceipts } from '../records.ts'
import { createAccountBatch } from './accountBatch.ts'
import { maxWaiting, mergeWaiting, readIndexRange, readMergedRange, writeMergedRange } from './accountIndex.ts'
import { countAccounts, type PackedAccounts, packAccounts } from './accountsIn.ts'

export interface AccountIndexerParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds between two lines that say how far it is. */
const reportEvery = 10_000

const isComplete = ({ first, last }: BlockRange, head: number): boolean => first === 0 && last >= head

function readPacked(reader: Reader, number: number): PackedAccounts {
  const key = canonicalKey(reader, BigInt(number))!
  return packAccounts(readBody(reader, key)!.transactions, readReceipts(reader, key)!)
}

/** Indexes blocks from `start` on in steps of 1 or -1: at least one, `end` at last, and no more than there is time for. */
function indexSome(txn: Transaction, start: number, end: number, goOn: () => boolean): void {
  const step = Math.sign(end - start) || 1
  const read: PackedAccounts[] = []
  for (let [number, entries] = [start, 0]; ; number += step) {
    const packed = readPacked(txn, number)
    read.push(packed)
    entries += countAccounts(packed)
    if (number === end || entries >= maxWaiting.live.entries || !goOn()) break
  }
  if (step < 0) read.reverse()
  const lowest = step < 0 ? start - read.length + 1 : start
  const batch = createAccountBatch()
  for (const [i, packed] of read.entries()) batch.add(lowest + i, packed)
  batch.write(txn)
  const { first, last } = readMergedRange(txn)!
  writeMergedRange(txn, { first: Math.min(first, lowest), last: Math.max(last, lowest + read.length - 1) })
}

/** Indexes the accounts of blocks that were imported while that was off, in the background; `stop` ends it. */
export function startAccountIndexer({ store, clock, log }: AccountIndexerParts): { stop(): void } {
  const slices = createSlices(clock)
  let reported = clock.now()
  let isWorking = false

  function report(range: BlockRange, head: number): void {
    if (isWorking && clock.now() < reported + reportEvery) return
    isWorking = true
    reported = clock.now()
    log.info({ ...range, head }, 'indexing accounts: blocks {first} to {last} of {head} are indexed')
  }

  const slice = (goOn: () => boolean): boolean =>
    store.write((txn) => {
      const head = readMark(txn, 'head')!.number
      const range = readIndexRange(txn)!
      if (isComplete(range, head)) return true
      report(range, head)
      if (range.last >= head) {
        indexSome(txn, range.first - 1, 0, goOn)
        return false
      }
      // Those after the last block come first, because new blocks wait for them.
      mergeWaiting(txn)
      indexSome(txn, range.last + 1, head, goOn)
      return false
    })

  const done = () => void (isWorking && log.info({}, 'accounts of all blocks are indexed'))
  const fail = (error: unknown) => log.error({ error: String(error) }, 'indexing accounts failed')
  const isBehind = store.read((reader) => {
    const range = readIndexRange(reader)
    return range !== undefined && !isComplete(range, readMark(reader, 'head')!.number)
  })
  if (isBehind) slices.run(slice, done, fail)
  return { stop: slices.stop }
}
