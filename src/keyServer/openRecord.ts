import { existsSync } from 'node:fs'
import type { Address } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { checkDataFolder, makeDataFolder } from '../store/dataFolder.ts'
import { binary, openLmdb, peekTable, putTable, transact } from '../store/lmdb.ts'
import { withFaults } from '../store/withFaults.ts'
import { createKeyRecord, type KeyRecord } from './decide.ts'
import { KeyServerError } from './fault.ts'
import { decodeKeyRecord, encodeKeyRecord } from './recordCodec.ts'

// Not a store of the node: what was signed must be readable by all versions, whatever becomes of the tables of the chain.

/** Address space; a record has a few kilobytes. */
const mapSize = 2 ** 28
const tableName = 'signed'

/** What was signed with one key, on disk. */
export interface OpenRecord {
  read(): KeyRecord
  /**
   * Replaces the record by what `change` makes of it, which is on disk when this returns. Nothing comes in between, not even another
   * process that has the same folder open.
   */
  update(change: (record: KeyRecord) => KeyRecord): void
  close(): Promise<void>
}

export interface RecordPlace {
  readonly path: string
  readonly address: Address
  /** Begins a record: up to this height nothing is signed. Undefined where there has to be one. */
  readonly newAfter: bigint | undefined
}

/** Opens the record of a key; throws unless it is there, or is to be made and is not there. */
export function openRecord({ path, address, newAfter }: RecordPlace): OpenRecord {
  const fault = (reason: string) => new KeyServerError({ code: 'RECORD', path, reason })
  const missing = () =>
    fault(
      `there is no record of what key ${toHex(address)} has signed. If the key was never used for blocks, or all that it has signed is of ` +
        'heights that the chain has passed, begin one with --new-record=HEIGHT: nothing is signed up to that height',
    )
  if (newAfter === undefined && !existsSync(path)) throw missing()
  checkDataFolder(path, false)
  withFaults(path, () => makeDataFolder(path))
  const root = withFaults(path, () => openLmdb(path, { readOnly: false, mapSize }))
  const table = root.openDB(tableName, binary)!

  function stored(): KeyRecord | undefined {
    const bytes = peekTable(table, address)
    if (!bytes) return undefined
    const record = decodeKeyRecord(bytes.slice())
    if (record) return record
    throw fault('the record of what was signed is not what was written: nothing is signed without it')
  }

  function required(): KeyRecord {
    const record = stored()
    if (!record) throw missing()
    return record
  }

  const put = (record: KeyRecord) => putTable(table, address, encodeKeyRecord(record))
  const write = (action: () => void) => withFaults(path, () => transact(root, action))
  try {
    write(() => {
      if (newAfter === undefined) required()
      else if (stored()) throw fault('there is a record of this key already: leave out --new-record')
      else put(createKeyRecord(newAfter))
    })
  } catch (error) {
    void root.close()
    throw error
  }

  return {
    read: () => {
      root.resetReadTxn()
      return required()
    },
    update: (change) =>
      write(() => {
        const before = required()
        const after = change(before)
        if (after !== before) put(after)
      }),
    close: () => root.close(),
  }
}
