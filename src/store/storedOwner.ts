import { StoreError } from './fault.ts'
import { type LmdbTable, peekTable } from './lmdb.ts'
import { decodeOwner, encodeOwner, isRunning, type Owner } from './owner.ts'
import { meta, oldestSchema, schemaVersion } from './schema.ts'

const schemaKey = 'schema'

export const ownerKey = 'owner'

/** Refuses a directory whose bytes mean something else. */
export function checkSchema(table: LmdbTable, path: string): void {
  const have = peekTable(table, meta.key.encode(schemaKey))?.[0]
  if (have === undefined) return
  if (have > schemaVersion) throw new StoreError({ code: 'NEWER_SCHEMA', path, have, known: schemaVersion })
  if (have < oldestSchema) throw new StoreError({ code: 'OLDER_SCHEMA', path, have, known: schemaVersion })
}

// The record is read and written in one transaction, so that of two processes that find a dead owner one loses.
export function takeOver(table: LmdbTable, path: string, owner: Owner): void {
  checkSchema(table, path)
  table.put(meta.key.encode(schemaKey), Uint8Array.of(schemaVersion))
  const before = ownerIn(table)
  if (before !== undefined && isRunning(before)) throw new StoreError({ code: 'LOCKED', path, pid: before.pid })
  table.put(meta.key.encode(ownerKey), encodeOwner(owner))
}

export function ownerIn(table: LmdbTable): Owner | undefined {
  const stored = peekTable(table, meta.key.encode(ownerKey))
  return stored && decodeOwner(stored)
}
