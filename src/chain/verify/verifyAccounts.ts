import { type Address, bytesOfKey } from '../../primitives/bytes.ts'
import { checkPart, type Report } from '../../state/verify/report.ts'
import { accountBlockRange, accountRows } from '../../store/chainTables.ts'
import type { Reader } from '../../store/table.ts'
import { accountIndex } from '../accounts/accountIndex.ts'
import { indexesOf, type PackedAccounts, visitAccounts } from '../accounts/accountsIn.ts'
import { findAppearances } from '../accounts/findAppearances.ts'

/** The accounts of a block, each once. */
function addressesOf(packed: PackedAccounts): readonly Address[] {
  const keys = new Set<string>()
  visitAccounts(packed, (key) => keys.add(key))
  return Array.from(keys, (key) => bytesOfKey(key) as Address)
}

/** How many appearances, of an account in a block, the index has; those below its first block are being removed. */
function countAppearances(reader: Reader, first: number): number {
  let count = 0
  for (const [{ number }, places] of reader.range(accountRows, {}))
    for (let i = 0; i < places.length; i += 2)
      if (number + places[i]! >= first && (i === 0 || places[i] !== places[i - 2])) count++
  for (const { packed } of accountIndex.readWaiting(reader, 0)) count += addressesOf(packed).length
  return count
}

/** Checks that the index of accounts has what its blocks call for, and nothing else. */
export function verifyAccounts(reader: Reader, head: number, report: Report): void {
  checkPart(report, accountRows.name, () => {
    const range = accountIndex.readRange(reader)
    if (range && (range.first > range.last + 1 || range.last > head))
      return report.fault(accountBlockRange.name, 'the range of the index of accounts is damaged')
    let wanted = 0
    for (let number = range?.first ?? 0; range && number <= range.last; number++) {
      const packed = accountIndex.readPacked(reader, number)
      for (const address of addressesOf(packed)) {
        wanted++
        const [found] = findAppearances(reader, address, number, 'descending')
        if (found?.blockNumber !== BigInt(number) || found.indexes.join() !== indexesOf(packed, address).join())
          report.fault(accountRows.name, `block ${number} of the index of accounts is damaged`)
      }
      report.progress('index of accounts', number, range.last)
    }
    const stored = countAppearances(reader, range?.first ?? 0)
    if (stored !== wanted) report.fault(accountRows.name, `there are ${stored} entries instead of ${wanted}`)
  })
}
