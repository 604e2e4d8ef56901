import { emptyBytes, equalBytes, keyOf } from '../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../primitives/keccak.ts'
import { code, type StateTables } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader } from '../store/table.ts'
import { decodeRow, encodeRow } from './row.ts'
import { decodeStoredAccount } from './storedAccount.ts'

/** Rows that are written in one transaction. */
const batch = 5000

/** Where a state is copied to; the tables are empty. */
export interface CopyTarget {
  readonly store: Store
  readonly tables: StateTables
}

/**
 * Copies the newest state, with the code of its contracts and without its history. Whether the root is right is not looked at, but code is
 * compared with its hash. `onRows` is called with the number of rows so far.
 */
export function copyState(
  reader: Reader,
  from: StateTables,
  { store, tables }: CopyTarget,
  onRows: (rows: number) => void,
): void {
  let rows = 0
  const codes = new Set<string>()
  for (const name of ['accounts', 'slots', 'branches'] as const) {
    const source = reader.range(from[name], {})[Symbol.iterator]()
    for (let isMore = true; isMore; ) {
      isMore = store.write((txn) => {
        for (let i = 0; i < batch; i++) {
          const { done, value: entry } = source.next()
          if (done) return false
          const [key, row] = entry
          const { value, tag } = decodeRow(row)
          if (value.length === 0) continue
          txn.append(tables[name], key, encodeRow({ value, tag, blocks: emptyBytes, hasChunks: false }))
          if (name === 'accounts') {
            const { codeHash } = decodeStoredAccount(value)
            if (equalBytes(codeHash, emptyCodeHash) || codes.has(keyOf(codeHash))) continue
            codes.add(keyOf(codeHash))
            const bytes = reader.get(code, codeHash)
            if (!bytes || !equalBytes(keccak256(bytes), codeHash))
              throw new Error('the code of an account is not there')
            txn.put(code, codeHash, bytes)
          }
        }
        return true
      })
      onRows((rows += batch))
    }
  }
}
