import { type Address, bytesOfKey } from '../../primitives/bytes.ts'
import { accountBlockRange, accountBlocks, accountRows } from '../../store/chainTables.ts'
import type { Table, Transaction } from '../../store/table.ts'
import { BlockIndex } from '../blockIndex/blockIndex.ts'
import { createAccountBatch } from './accountBatch.ts'
import { countAccounts, packAccounts, visitAccounts } from './accountsIn.ts'

/** In which transactions an account appears. */
export const accountIndex = new BlockIndex({
  name: 'accounts',
  range: accountBlockRange,
  waiting: accountBlocks,
  rows: [accountRows as Table<unknown, unknown>],
  maxWaiting: { live: { blocks: 256, entries: 16_384 }, bulk: { blocks: 1024, entries: 65_536 } },
  pack: packAccounts,
  count: countAccounts,
  add(txn, blocks) {
    const batch = createAccountBatch()
    for (const { number, packed } of blocks) batch.add(number, packed)
    batch.write(txn)
  },
  cut: (txn, { number, packed }) => visitAccounts(packed, (key) => cutRow(txn, bytesOfKey(key) as Address, number)),
  forget(txn, packed, first) {
    const keys = new Set<string>()
    visitAccounts(packed, (key) => keys.add(key))
    for (const key of keys) cutFront(txn, bytesOfKey(key) as Address, first)
  },
})

/** Takes the blocks below `first` out of an account's rows. */
function cutFront(txn: Transaction, address: Address, first: number): void {
  const rows = [...txn.range(accountRows, { from: { address, number: 0 }, to: { address, number: first } })]
  for (const [key, places] of rows) {
    txn.remove(accountRows, key)
    let start = 0
    while (start < places.length && key.number + places[start]! < first) start += 2
    if (start === places.length) continue
    const shift = places[start]!
    const kept = places.slice(start).map((place, i) => (i % 2 === 0 ? place - shift : place))
    txn.put(accountRows, { address, number: key.number + shift }, kept)
  }
}

/** Takes a block out of an account's last row. */
function cutRow(txn: Transaction, address: Address, number: number): void {
  const last = { from: { address, number }, to: { address, number: 0 }, reverse: true, limit: 1 }
  const [row] = txn.range(accountRows, last)
  if (!row) return
  const [key, places] = row
  let end = places.length
  while (end > 0 && key.number + places[end - 2]! >= number) end -= 2
  if (end === 0) txn.remove(accountRows, key)
  else if (end < places.length) txn.put(accountRows, key, places.slice(0, end))
}
