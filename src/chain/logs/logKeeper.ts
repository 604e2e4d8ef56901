import { keyOf } from '../../primitives/bytes.ts'
import { type LogMark, logIndex, logMarkLength, logPageBlocks } from '../../store/chainTables.ts'
import type { Store } from '../../store/openStore.ts'
import type { Transaction } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createSlices } from '../rebuild/slices.ts'
import { canonicalKey, readMark, readReceipts } from '../records.ts'
import { addGap, gapsBetween, removeGap, segmentBlocks, segmentOf } from './logGaps.ts'
import { unindexLogs } from './logIndex.ts'
import { expectedRows, type PageRows, pageOf, putPageRight } from './logPages.ts'

export interface LogKeeperParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Blocks are indexed as they are imported. */
  readonly automatic: boolean
}

/** How far the current or last command has come. */
export interface LogKeeperStatus {
  readonly startBlock: number
  /** Undefined: up to the head. */
  readonly endBlock: number | undefined
  readonly currentBlock: number
  readonly indexing: boolean
}

/** Generates, removes and repairs the log index, one command at a time, in the background. A removal ends what else is under way. */
export interface LogKeeper {
  status(): LogKeeperStatus
  /** Indexes whole segments, from that of `start` to that of block `end` - 1 or of the head; returns false while busy. */
  generate(start: number, end: number | undefined): boolean
  /** Removes the segments from that of `start` to that of `end` from the index; ends a command of another kind. */
  remove(start: number, end: number): void
  /** Checks all segments up to that of a block, row by row, and repairs them; returns false while busy. */
  repair(upTo: number): boolean
  close(): void
}

/** Rows that are read at a time. */
const scanBatch = 2000

function endOfSegment(number: number): number {
  return (segmentOf(number) + 1) * segmentBlocks - 1
}

interface IndexedPage {
  readonly page: number
  /** Rows that the page must have, and how many of them were missing or wrong. */
  readonly rows: number
  readonly wrong: number
  /** The page is complete: no more blocks will be added to it. */
  readonly whole: boolean
}

interface SegmentWork {
  /** First segment. */
  readonly first: number
  readonly lastBlock: number
  /** Compare receipts with headers. */
  readonly checked: boolean
  readonly visit?: (indexed: IndexedPage) => void
}

/** If blocks are indexed as they are imported, it starts by indexing those that are not. */
export function createLogKeeper({ store, clock, log, automatic }: LogKeeperParts): LogKeeper {
  const slices = createSlices(clock)
  /** Segments that are being removed. */
  const removals = new Set<number>()
  let busy = false
  let status: Omit<LogKeeperStatus, 'indexing'> = { startBlock: 0, endBlock: 0, currentBlock: 0 }

  function finish(message: string, fields: object): void {
    busy = false
    log.info(fields, message)
  }

  function fail(error: unknown): void {
    busy = false
    removals.clear()
    log.error({ error: String(error) }, 'log index command failed')
  }

  function begin(startBlock: number, endBlock: number | undefined): void {
    busy = true
    status = { startBlock, endBlock, currentBlock: startBlock }
  }

  /** Indexes segments page by page. */
  function indexSegments({ first, lastBlock, checked, visit }: SegmentWork, then: () => void): void {
    let page = pageOf(first * segmentBlocks)

    function indexPage(txn: Transaction, head: number): void {
      const reached = Math.min((page + 1) * logPageBlocks - 1, head)
      const rows = expectedRows(txn, page, checked)
      const wrong = putPageRight(txn, page, rows)
      visit?.({ page, rows: rows.size, wrong, whole: reached < head })
      const segment = segmentOf(page * logPageBlocks)
      // The first page may also hold the end of the segment before, which is not indexed here.
      if (segment >= first && segmentOf(reached + 1) > segment) removeGap(txn, segment)
      // The last segment stays complete only if blocks are indexed as they are imported.
      if (reached === head && automatic) removeGap(txn, segmentOf(head))
      status = { ...status, currentBlock: reached }
    }

    const slice = (goOn: () => boolean): boolean =>
      store.write((txn) => {
        const head = readMark(txn, 'head')!.number
        const last = pageOf(Math.min(lastBlock, head))
        for (; page <= last; page++) {
          if (!goOn()) return false
          indexPage(txn, head)
        }
        return true
      })
    slices.run(slice, then, fail)
  }

  /** Removes the rows of the segments in `removals`. */
  function removeSegments(): void {
    const [segment] = removals
    if (segment === undefined) {
      finish('log index segments removed', {})
      return
    }
    let number = segment * segmentBlocks
    const slice = (goOn: () => boolean): boolean =>
      store.write((txn) => {
        for (; number < (segment + 1) * segmentBlocks; number++) {
          if (!goOn()) return false
          const key = canonicalKey(txn, BigInt(number))
          if (!key) return true
          unindexLogs(txn, number, readReceipts(txn, key)?.flatMap(({ logs }) => logs) ?? [])
        }
        return true
      })
    const next = (): void => {
      removals.delete(segment)
      removeSegments()
    }
    slices.run(slice, next, fail)
  }

  /** Counts the rows of each page, then goes on. */
  function countRows(then: (counts: ReadonlyMap<number, number>) => void): void {
    const counts = new Map<number, number>()
    scanRows(
      (_mark, page) => {
        counts.set(page, (counts.get(page) ?? 0) + 1)
        return false
      },
      () => then(counts),
    )
  }

  /** Calls `isWrong` with every row and removes the row if it returns true. */
  function scanRows(isWrong: (mark: string, page: number, txn: Transaction) => boolean, then: () => void): void {
    let from: { mark: LogMark; page: number } = { mark: new Uint8Array(logMarkLength), page: 0 }
    const slice = (goOn: () => boolean): boolean =>
      store.write((txn) => {
        while (goOn()) {
          const rows = [...txn.range(logIndex, { from, limit: scanBatch })]
          for (const [key] of rows) if (isWrong(keyOf(key.mark), key.page, txn)) txn.remove(logIndex, key)
          const last = rows.at(-1)?.[0]
          if (!last || rows.length < scanBatch) return true
          from = { mark: last.mark, page: last.page + 1 }
        }
        return false
      })
    slices.run(slice, then, fail)
  }

  /** Removes rows that belong to no block, on pages that have too many rows. */
  function removeStrays(pages: ReadonlySet<number>, then: (removed: number) => void): void {
    const known = new Map<number, PageRows>()
    let removed = 0
    scanRows(
      (mark, page, txn) => {
        if (!pages.has(page)) return false
        let rows = known.get(page)
        if (!rows) known.set(page, (rows = expectedRows(txn, page, false)))
        if (rows.has(mark)) return false
        removed++
        return true
      },
      () => then(removed),
    )
  }

  function firstGap(): number | undefined {
    return store.read((reader) => {
      const head = readMark(reader, 'head')
      return head && gapsBetween(reader, 0, head.number)[0]
    })
  }

  const keeper: LogKeeper = {
    status: () => ({ ...status, indexing: busy }),
    close: slices.stop,
    generate(start, end) {
      if (busy) return false
      begin(start, end)
      const lastBlock = end === undefined ? Number.POSITIVE_INFINITY : endOfSegment(end - 1)
      const work = { first: segmentOf(start), lastBlock, checked: false }
      indexSegments(work, () => finish('log index generated', { ...status }))
      return true
    },
    remove(start, end) {
      const isRemoving = removals.size > 0
      // From now on searches skip these segments of the index: to remove the rows later only frees space.
      store.write((txn) => {
        for (let segment = segmentOf(start); segment <= segmentOf(end); segment++) addGap(txn, segment * segmentBlocks)
      })
      for (let segment = segmentOf(start); segment <= segmentOf(end); segment++) removals.add(segment)
      if (isRemoving) return
      if (busy) log.info({ ...status }, 'log index command ended, segments are removed')
      begin(start, end)
      removeSegments()
    },
    repair(upTo) {
      if (busy) return false
      begin(0, upTo)
      const expected = new Map<number, number>()
      let mended = 0
      const visit = ({ page, rows, wrong, whole }: IndexedPage): void => {
        mended += wrong
        if (whole) expected.set(page, rows)
      }
      const done = (removed: number): void => finish('log index checked', { upTo, mended, removed })
      const compare = (counts: ReadonlyMap<number, number>): void => {
        const wrong = [...expected].filter(([page, rows]) => (counts.get(page) ?? 0) !== rows)
        if (wrong.length === 0) done(0)
        else removeStrays(new Set(wrong.map(([page]) => page)), done)
      }
      indexSegments({ first: 0, lastBlock: endOfSegment(upTo), checked: true, visit }, () => countRows(compare))
      return true
    },
  }
  const missing = automatic ? firstGap() : undefined
  if (missing !== undefined) keeper.generate(missing * segmentBlocks, undefined)
  return keeper
}
