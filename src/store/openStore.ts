import { textCodec } from './codec.ts'
import { checkDataFolder, makeDataFolder } from './dataFolder.ts'
import { StoreError } from './fault.ts'
import { checkNotHeld } from './hold.ts'
import { binary, type LmdbRoot, transact } from './lmdb.ts'
import { createStore } from './lmdbStore.ts'
import { openRoot, openTables } from './mapping.ts'
import { createOwner } from './owner.ts'
import { allTables, meta } from './schema.ts'
import type { Store, StoreOptions } from './store.ts'
import { checkSchema, takeOver } from './storedOwner.ts'
import { withFaults } from './withFaults.ts'

/** Opens the data directory `path`, making it if it does not exist, as its only writer. */
export function openStore(path: string, options: StoreOptions = {}): Store {
  const readOnly = options.readOnly ?? false
  if (!readOnly) checkNotHeld(path)
  checkDataFolder(path, readOnly)
  if (!readOnly) withFaults(path, () => makeDataFolder(path))
  const root = openRoot(path, readOnly)
  try {
    return readOnly ? openReadOnly(root, path) : openWritable(root, path, options)
  } catch (error) {
    void root.close()
    throw error
  }
}

function openReadOnly(root: LmdbRoot, path: string): Store {
  const metaTable = root.openDB(meta.name, binary)
  if (metaTable === undefined) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  const tables = new Map([[meta.name, metaTable]])
  checkSchema(metaTable, path)
  openTables(root, tables, allTables)
  return createStore({ root, tables }, path, undefined, {})
}

function openWritable(root: LmdbRoot, path: string, options: StoreOptions): Store {
  // Any LMDB environment opens; ours has a table `meta`.
  const names = tableNames(root)
  if (names.length > 0 && !names.includes(meta.name)) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  const tables = new Map([[meta.name, root.openDB(meta.name, binary)!]])
  const owner = options.owner ?? createOwner()
  // One transaction: one for each table would write to disk as often.
  withFaults(path, () =>
    transact(root, () => {
      if (!options.owner) takeOver(tables.get(meta.name)!, path, owner)
      // Who holds the folder looks for an owner after that, and this one for a holder after it became the owner: one of them sees the other.
      checkNotHeld(path)
      openTables(root, tables, options.tables ?? allTables)
    }),
  )
  return createStore({ root, tables }, path, owner, options)
}

/** LMDB keeps its tables' names, each followed by a zero byte, as keys of a table without name. */
function tableNames(root: LmdbRoot): string[] {
  return [...root.getRange({})].map(({ key }) => textCodec.decode(key.subarray(0, -1)))
}
