import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../system/makeFolder.ts'
import { checkDataFolder } from './dataFolder.ts'
import { binary, openLmdb, transact } from './lmdb.ts'
import { openPageFile } from './pageFile.ts'
import { meta } from './schema.ts'
import { withFaults } from './withFaults.ts'

/** Milliseconds between two reports of progress. */
const reportEvery = 100

/**
 * Copies a consistent snapshot of the database in `from`, which a node may be writing to, into the new folder `to`: without free
 * pages, and without the mark of the process that uses the original.
 */
export async function copyStore(
  from: string,
  to: string,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  checkDataFolder(from, true)
  makeFolder(to, 0o700)
  const file = join(to, 'data.mdb')
  const all = usedBytes(join(from, 'data.mdb'))
  const source = openLmdb(from, { readOnly: true, mapSize: 2 ** 40 })
  const timer = setInterval(() => onProgress(Math.min(sizeOf(file), all), all), reportEvery)
  try {
    await source.backup(to, true)
  } finally {
    clearInterval(timer)
    await source.close()
  }
  await withFaults(to, () => removeOwner(to))
  // It belongs to processes that have the database open.
  rmSync(join(to, 'lock.mdb'), { force: true })
}

async function removeOwner(path: string): Promise<void> {
  const copy = openLmdb(path, { readOnly: false, mapSize: 2 ** 40 })
  const table = copy.openDB(meta.name, binary)!
  transact(copy, () => void table.remove(meta.key.encode('owner')))
  await copy.close()
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** About as much as a copy will have. */
function usedBytes(file: string): number {
  const opened = openPageFile(file)
  if (!opened) return sizeOf(file)
  opened.close()
  return Math.min((opened.metas[0]!.lastPage + 1) * opened.pageSize, sizeOf(file))
}
