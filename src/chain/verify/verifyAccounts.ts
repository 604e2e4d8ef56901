import { checkPart, type Report } from '../../state/verify/report.ts'
import { accountIndex, accountIndexRange } from '../../store/chainTables.ts'
import type { Reader } from '../../store/table.ts'
import { accountsIn, readIndexRange } from '../accounts/accountIndex.ts'
import { canonicalKey, readBody, readReceipts } from '../records.ts'

/** Checks that the index of accounts has what its blocks call for, and nothing else. */
export function verifyAccounts(reader: Reader, head: number, report: Report): void {
  checkPart(report, accountIndex.name, () => {
    const range = readIndexRange(reader)
    if (range && (range.first > range.last + 1 || range.last > head))
      return report.fault(accountIndexRange.name, 'the range of the index of accounts is damaged')
    let wanted = 0
    for (let number = range?.first ?? 0; range && number <= range.last; number++) {
      const key = canonicalKey(reader, BigInt(number))!
      for (const { address, indexes } of accountsIn(readBody(reader, key)!.transactions, readReceipts(reader, key)!)) {
        wanted++
        if (reader.get(accountIndex, { address, number })?.join() !== indexes.join())
          report.fault(accountIndex.name, `block ${number} of the index of accounts is damaged`)
      }
      report.progress('index of accounts', number, range.last)
    }
    let stored = 0
    for (const _ of reader.range(accountIndex, {})) stored++
    if (stored !== wanted) report.fault(accountIndex.name, `there are ${stored} rows instead of ${wanted}`)
  })
}
