import { type Address, concatBytes } from '../../primitives/bytes.ts'
import type { Store } from '../../store/openStore.ts'
import { signed } from '../../store/schema.ts'

/** What a validator has signed last, on disk. */
export interface SignedRecord {
  read(): Uint8Array | undefined
  /** The record is on disk when this returns. */
  write(record: Uint8Array): void
}

/** The record of one engine under one key: after a change of the node's key the old one binds nobody. */
export function createSignedRecord(store: Store, validator: Address, engine: string): SignedRecord {
  const key = concatBytes(validator, new TextEncoder().encode(engine))
  return {
    read: () => store.read((reader) => reader.get(signed, key)),
    write: (record) => store.write((txn) => txn.put(signed, key, record)),
  }
}
