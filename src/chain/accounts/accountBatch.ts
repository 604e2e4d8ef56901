import { type Address, bytesOfKey } from '../../primitives/bytes.ts'
import { accountRows } from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import { type PackedAccounts, visitAccounts } from './accountsIn.ts'

/** The accounts of successive blocks, which are written as one row each. */
export interface AccountBatch {
  /** Adds a block that is higher than those that were added. */
  add(number: number, packed: PackedAccounts): void
  write(txn: Transaction): void
}

interface Row {
  /** First block. */
  readonly number: number
  /** Offset of the block from the first one and index of the transaction, in turn. */
  readonly places: number[]
}

export function createAccountBatch(): AccountBatch {
  /** By `keyOf` the address. */
  const rows = new Map<string, Row>()
  return {
    add(number, packed) {
      visitAccounts(packed, (key, index) => {
        const row = rows.get(key)
        if (!row) {
          rows.set(key, { number, places: [0, index] })
          return
        }
        const { places } = row
        const offset = number - row.number
        if (places[places.length - 1] !== index || places[places.length - 2] !== offset) places.push(offset, index)
      })
    },
    write(txn) {
      // Sorted writes are several times faster than random ones.
      for (const key of [...rows.keys()].sort()) {
        const { number, places } = rows.get(key)!
        txn.put(accountRows, { address: bytesOfKey(key) as Address, number }, places)
      }
    },
  }
}
