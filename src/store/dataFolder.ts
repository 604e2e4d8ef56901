import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './fault.ts'

/** Throws NOT_A_DATA_DIRECTORY unless a path is a data directory or, for a writer, empty. */
export function checkDataFolder(path: string, readOnly: boolean): void {
  if (!existsSync(path) && !readOnly) return
  const fits = existsSync(path) && statSync(path).isDirectory() && (hasData(path) ?? (!readOnly && isEmpty(path)))
  if (!fits) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0
}

/** Number with which LMDB marks its files, as it lies in the first page of one made on this kind of machine. */
const magic = Buffer.from('dec0efbe', 'hex')

/** Whether the folder's LMDB file is one; undefined if there is none. LMDB's package crashes on others. */
function hasData(folder: string): boolean | undefined {
  const file = join(folder, 'data.mdb')
  if (!existsSync(file)) return undefined
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(64)
    const length = readSync(descriptor, start)
    // Nothing in it: a process ended before it wrote the first page.
    return length === 0 || start.includes(magic)
  } finally {
    closeSync(descriptor)
  }
}
