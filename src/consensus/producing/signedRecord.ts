import { type Address, concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { signed } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Transaction } from '../../store/table.ts'

/** Record of what a validator signed last, on disk. */
export interface SignedRecord {
  /** Throws if the record is damaged: a validator that trusted it might sign what contradicts what it has signed. */
  read(): Uint8Array | undefined
  /** Writes the record; it is on disk when this returns. */
  write(record: Uint8Array): void
}

/** What follows the key of a record in the key of its checksum. */
const sumSuffix = new TextEncoder().encode('.sum')

function sumOf(record: Uint8Array): Uint8Array {
  return keccak256(record).subarray(0, 8)
}

/** Records of earlier versions have no checksum. */
function checkSum(reader: Reader, key: Uint8Array, record: Uint8Array | undefined): void {
  const sum = reader.get(signed, concatBytes(key, sumSuffix))
  if (sum && !(record && equalBytes(sum, sumOf(record))))
    throw new Error(
      'the database is damaged: the record of what this validator signed last is not what was written. ' +
        'Restore a backup, or run quoin verify --repair: the validator then waits until the network is a block further',
    )
}

/** The record of one kind of consensus and one validator key; a new key starts without a record. */
export function createSignedRecord(store: Store, validator: Address, kind: string): SignedRecord {
  const key = concatBytes(validator, new TextEncoder().encode(kind))
  return {
    read: () =>
      store.read((reader) => {
        const record = reader.get(signed, key)
        checkSum(reader, key, record)
        return record
      }),
    write: (record) =>
      store.write((txn) => {
        txn.put(signed, key, record)
        txn.put(signed, concatBytes(key, sumSuffix), sumOf(record))
      }),
  }
}

function recordKeys(reader: Reader): Uint8Array[] {
  return Array.from(reader.range(signed, {}), ([key]) => {
    const isSum = equalBytes(key.subarray(-sumSuffix.length), sumSuffix)
    return isSum ? key.subarray(0, -sumSuffix.length) : key
  })
}

/** Throws if a record is damaged. */
export function verifySignedRecords(reader: Reader): void {
  for (const key of recordKeys(reader)) checkSum(reader, key, reader.get(signed, key))
}

/** Removes records that are damaged; returns whether there was one. */
export function removeDamagedRecords(txn: Transaction): boolean {
  let found = false
  for (const key of recordKeys(txn))
    try {
      checkSum(txn, key, txn.get(signed, key))
    } catch {
      found = true
      txn.remove(signed, key)
      txn.remove(signed, concatBytes(key, sumSuffix))
    }
  return found
}
