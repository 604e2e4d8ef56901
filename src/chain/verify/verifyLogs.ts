import { bytesOfKey, equalBytes } from '../../primitives/bytes.ts'
import { checkPart, type Report } from '../../state/verify/report.ts'
import { logGaps, logIndex, logPageBlocks } from '../../store/chainTables.ts'
import type { Reader } from '../../store/table.ts'
import { segmentOf } from '../logs/logGaps.ts'
import { expectedRows, pageOf } from '../logs/logPages.ts'
import { readPast } from '../takeOver/past.ts'

/** Checks that the log index has what the receipts of the canonical blocks call for, and nothing else. */
export function verifyLogs(reader: Reader, head: number, report: Report): void {
  const gaps = new Set<number>()
  checkPart(report, logGaps.name, () => {
    for (const [segment, value] of reader.range(logGaps, {})) {
      if (segment > segmentOf(head) || value.length !== 1 || value[0] !== 1)
        report.fault(logGaps.name, 'a gap of the log index is damaged')
      gaps.add(segment)
    }
  })
  checkPart(report, logIndex.name, () => {
    let wanted = 0
    // Rows of pages below are being removed with their blocks.
    const lowest = pageOf(readPast(reader)?.first ?? 0)
    for (let page = lowest; page <= pageOf(head); page++) {
      // What lies in a gap is not used.
      const first = page * logPageBlocks
      if (gaps.has(segmentOf(first)) || gaps.has(segmentOf(Math.min(first + logPageBlocks - 1, head)))) continue
      const rows = expectedRows(reader, page, false)
      wanted += rows.size
      for (const [mark, bits] of rows) {
        const stored = reader.peek(logIndex, { mark: bytesOfKey(mark), page })
        if (!stored || !equalBytes(stored, bits))
          report.fault(logIndex.name, `page ${page} of the log index is damaged`)
      }
      report.progress('log index', page, pageOf(head))
    }
    let stored = 0
    for (const [{ page }] of reader.range(logIndex, {})) if (page >= lowest) stored++
    if (gaps.size === 0 && stored !== wanted)
      report.fault(logIndex.name, `there are ${stored} rows instead of ${wanted}`)
  })
}
