import { binary, type LmdbRoot, type LmdbTable, openLmdb } from './lmdb.ts'
import { meta } from './schema.ts'
import type { AnyTable } from './table.ts'
import { withFaults } from './withFaults.ts'

/** Address space that the file may take; no memory or disk is used for it. LMDB maps more when this is not enough. */
const mapSize = 2 ** 40

export function openRoot(path: string, readOnly: boolean): LmdbRoot {
  return withFaults(path, () => openLmdb(path, { readOnly, mapSize }))
}

/** A file that lies in memory, with its tables. */
export interface Mapping {
  readonly root: LmdbRoot
  /** By name. */
  readonly tables: ReadonlyMap<string, LmdbTable>
}

/** Maps the file of a store that is open. */
export function openMapping(path: string, named: readonly AnyTable[]): Mapping {
  const root = openRoot(path, false)
  const tables = new Map<string, LmdbTable>()
  openTables(root, tables, [meta, ...named])
  return { root, tables }
}

export function openTables(root: LmdbRoot, tables: Map<string, LmdbTable>, named: readonly AnyTable[]): void {
  for (const { name } of named) {
    if (tables.has(name)) continue
    const opened = root.openDB(name, binary)
    if (opened !== undefined) tables.set(name, opened)
  }
}
