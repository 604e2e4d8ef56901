import { keyOf } from '../../primitives/bytes.ts'
import { type LogMark, logIndex, logMarkLength, logPageBlocks } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
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

/** The index of logs as it follows the chain: the ranges that are complete, and the one that grows. */
class IndexedLogs implements LogKeeper {
  private readonly parts: LogKeeperParts
  private readonly slices: ReturnType<typeof createSlices>
  /** Segments that are being removed. */
  private readonly removals = new Set<number>()
  private busy = false
  private progress: Omit<LogKeeperStatus, 'indexing'> = { startBlock: 0, endBlock: 0, currentBlock: 0 }
  readonly close: LogKeeper['close']

  constructor(parts: LogKeeperParts) {
    this.parts = parts
    this.slices = createSlices(parts.clock)
    const missing = parts.automatic ? this.firstGap() : undefined
    if (missing !== undefined) this.generate(missing * segmentBlocks, undefined)
    this.close = this.slices.stop
  }

  private finish(message: string, fields: object): void {
    this.busy = false
    this.parts.log.info(fields, message)
  }

  private readonly fail = (error: unknown): void => {
    this.busy = false
    this.removals.clear()
    this.parts.log.error({ error: String(error) }, 'log index command failed')
  }

  private begin(startBlock: number, endBlock: number | undefined): void {
    this.busy = true
    this.progress = { startBlock, endBlock, currentBlock: startBlock }
  }

  /** Indexes segments page by page. */
  private indexSegments({ first, lastBlock, checked, visit }: SegmentWork, then: () => void): void {
    let page = pageOf(first * segmentBlocks)

    const indexPage = (txn: Transaction, head: number): void => {
      const reached = Math.min((page + 1) * logPageBlocks - 1, head)
      const rows = expectedRows(txn, page, checked)
      const wrong = putPageRight(txn, page, rows)
      visit?.({ page, rows: rows.size, wrong, whole: reached < head })
      const segment = segmentOf(page * logPageBlocks)
      // The first page may also hold the end of the segment before, which is not indexed here.
      if (segment >= first && segmentOf(reached + 1) > segment) removeGap(txn, segment)
      // The last segment stays complete only if blocks are indexed as they are imported.
      if (reached === head && this.parts.automatic) removeGap(txn, segmentOf(head))
      this.progress = { ...this.progress, currentBlock: reached }
    }

    const slice = (goOn: () => boolean): boolean =>
      this.parts.store.write((txn) => {
        const head = readMark(txn, 'head')!.number
        const last = pageOf(Math.min(lastBlock, head))
        for (; page <= last; page++) {
          if (!goOn()) return false
          indexPage(txn, head)
        }
        return true
      })
    this.slices.run(slice, then, this.fail)
  }

  /** Removes the rows of the segments in `removals`. */
  private removeSegments(): void {
    const [segment] = this.removals
    if (segment === undefined) {
      this.finish('log index segments removed', {})
      return
    }
    let number = segment * segmentBlocks
    const slice = (goOn: () => boolean): boolean =>
      this.parts.store.write((txn) => {
        for (; number < (segment + 1) * segmentBlocks; number++) {
          if (!goOn()) return false
          const key = canonicalKey(txn, BigInt(number))
          if (!key) return true
          unindexLogs(txn, number, readReceipts(txn, key)?.flatMap(({ logs }) => logs) ?? [])
        }
        return true
      })
    const next = (): void => {
      this.removals.delete(segment)
      this.removeSegments()
    }
    this.slices.run(slice, next, this.fail)
  }

  /** Counts the rows of each page, then goes on. */
  private countRows(then: (counts: ReadonlyMap<number, number>) => void): void {
    const counts = new Map<number, number>()
    this.scanRows(
      (_mark, page) => {
        counts.set(page, (counts.get(page) ?? 0) + 1)
        return false
      },
      () => then(counts),
    )
  }

  /** Calls `isWrong` with every row and removes the row if it returns true. */
  private scanRows(isWrong: (mark: string, page: number, txn: Transaction) => boolean, then: () => void): void {
    let from: { mark: LogMark; page: number } = { mark: new Uint8Array(logMarkLength), page: 0 }
    const slice = (goOn: () => boolean): boolean =>
      this.parts.store.write((txn) => {
        while (goOn()) {
          const rows = [...txn.range(logIndex, { from, limit: scanBatch })]
          for (const [key] of rows) if (isWrong(keyOf(key.mark), key.page, txn)) txn.remove(logIndex, key)
          const last = rows.at(-1)?.[0]
          if (!last || rows.length < scanBatch) return true
          from = { mark: last.mark, page: last.page + 1 }
        }
        return false
      })
    this.slices.run(slice, then, this.fail)
  }

  /** Removes rows that belong to no block, on pages that have too many rows. */
  private removeStrays(pages: ReadonlySet<number>, then: (removed: number) => void): void {
    const known = new Map<number, PageRows>()
    let removed = 0
    this.scanRows(
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

  private firstGap(): number | undefined {
    return this.parts.store.read((reader) => {
      const head = readMark(reader, 'head')
      return head && gapsBetween(reader, 0, head.number)[0]
    })
  }

  readonly status: LogKeeper['status'] = () => ({ ...this.progress, indexing: this.busy })

  readonly generate: LogKeeper['generate'] = (start, end) => {
    if (this.busy) return false
    this.begin(start, end)
    const lastBlock = end === undefined ? Number.POSITIVE_INFINITY : endOfSegment(end - 1)
    const work = { first: segmentOf(start), lastBlock, checked: false }
    this.indexSegments(work, () => this.finish('log index generated', { ...this.progress }))
    return true
  }

  readonly remove: LogKeeper['remove'] = (start, end) => {
    const isRemoving = this.removals.size > 0
    // From now on searches skip these segments of the index: to remove the rows later only frees space.
    this.parts.store.write((txn) => {
      for (let segment = segmentOf(start); segment <= segmentOf(end); segment++) addGap(txn, segment * segmentBlocks)
    })
    for (let segment = segmentOf(start); segment <= segmentOf(end); segment++) this.removals.add(segment)
    if (isRemoving) return
    if (this.busy) this.parts.log.info({ ...this.progress }, 'log index command ended, segments are removed')
    this.begin(start, end)
    this.removeSegments()
  }

  readonly repair: LogKeeper['repair'] = (upTo) => {
    if (this.busy) return false
    this.begin(0, upTo)
    const expected = new Map<number, number>()
    let mended = 0
    const visit = ({ page, rows, wrong, whole }: IndexedPage): void => {
      mended += wrong
      if (whole) expected.set(page, rows)
    }
    const done = (removed: number): void => this.finish('log index checked', { upTo, mended, removed })
    const compare = (counts: ReadonlyMap<number, number>): void => {
      const wrong = [...expected].filter(([page, rows]) => (counts.get(page) ?? 0) !== rows)
      if (wrong.length === 0) done(0)
      else this.removeStrays(new Set(wrong.map(([page]) => page)), done)
    }
    this.indexSegments({ first: 0, lastBlock: endOfSegment(upTo), checked: true, visit }, () => this.countRows(compare))
    return true
  }
}

/** If blocks are indexed as they are imported, it starts by indexing those that are not. */
export function createLogKeeper(parts: LogKeeperParts): LogKeeper {
  return new IndexedLogs(parts)
}
