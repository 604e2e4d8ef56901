import { type Address, concatBytes } from '../../primitives/bytes.ts'
import type { Store } from '../../store/openStore.ts'
import { signed } from '../../store/schema.ts'

/** Record of what a validator signed last, on disk. */
export interface SignedRecord {
  read(): Uint8Array | undefined
  /** Writes the record; it is on disk when this returns. */
  write(record: Uint8Array): void
}

/** The record of one kind of consensus and one validator key; a new key starts without a record. */
export function createSignedRecord(store: Store, validator: Address, kind: string): SignedRecord {
  const key = concatBytes(validator, new TextEncoder().encode(kind))
  return {
    read: () => store.read((reader) => reader.get(signed, key)),
    write: (record) => store.write((txn) => txn.put(signed, key, record)),
  }
}
