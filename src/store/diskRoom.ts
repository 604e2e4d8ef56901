import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, ftruncateSync, linkSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './fault.ts'
import { measureFile } from './fileLength.ts'

// Why LMDB must never find the disk full: docs/adr/0017-a-full-disk.md.

/** What a transaction writes, as far as it decides how much its file can grow. */
export interface Growth {
  /** Rows that were written or removed at any place of a table. */
  touched: number
  /** Bytes of rows that lie among others. */
  content: number
  /** Bytes of pages that single values have for themselves. */
  pages: number
}

const pageSize = 4096
/** A row and its page, the page above it, and one more if that page has to be split. */
const pagesPerRow = 3
/** Pages are at least a third full. */
const looseness = 3
/** Upper pages of tables, the list of tables, the list of free pages. */
const fixed = 128 * pageSize
/** What the list of free pages takes, as a share of the file. */
const freeListShare = 1 / 1024
/** How much more than needed the file is extended by, as a share of what is used, so that it is done rarely. */
const stepShare = 1 / 16
const minStep = 2 ** 18
const maxStep = 2 ** 24

/** For all readers, and some more: the length is not part of what LMDB promises. */
const lockFileLength = 17 * pageSize

/** Larger values have pages of their own. */
const maxAmongOthers = 2000

export const noGrowth = (): Growth => ({ touched: 0, content: 0, pages: 0 })

/** Counts a row that is written; `last` if it comes after all others of its table. */
export function countRow(growth: Growth, key: Uint8Array, length: number, last: boolean): void {
  if (!last) growth.touched++
  growth.content += key.length + 32
  if (length <= maxAmongOthers) growth.content += length
  else growth.pages += (Math.floor(length / pageSize) + 2) * pageSize
}

/** No transaction that wrote this, into a file with so many bytes in use, takes more. */
export function maxGrowth({ touched, content, pages }: Growth, used: number): number {
  const copied = Math.min(touched * pagesPerRow * pageSize, used)
  return Math.ceil(fixed + copied + looseness * content + pages + used * freeListShare)
}

/**
 * Sees to it that a transaction which is about to be committed finds room: extends the database file by as much as it can grow, with
 * blocks that the file system has given, and throws DISK_FULL if as much again is not free. To be called inside the transaction.
 */
export function makeRoom(folder: string, growth: Growth): void {
  const file = join(folder, 'data.mdb')
  const { have, want: used } = measureFile(file) ?? { have: 0, want: 0 }
  const need = maxGrowth(growth, used)
  const missing = used + need - have
  const more = missing > 0 ? Math.ceil(missing + Math.min(Math.max(used * stepShare, minStep), maxStep)) : 0
  // Systems that never write in place need it for pages that are in the file already.
  requireFree(folder, more + need)
  if (more > 0) extend(file, have, have + more)
}

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Makes the file of LMDB's locks, unless it exists, with all of its blocks: LMDB maps it, and the process would end where one is missing. */
export function makeLockFile(folder: string): void {
  const file = join(folder, 'lock.mdb')
  if (existsSync(file)) return
  const made = `${file}.${randomUUID()}`
  try {
    closeSync(openSync(made, 'w', 0o600))
    extend(made, 0, lockFileLength)
    // Another process may be opening the folder, too: its file must not be replaced, and none may be seen that is half written.
    linkSync(made, file)
  } catch (error) {
    // Where files cannot be made or linked, LMDB does without, or says so.
    if (fullCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(made, { force: true })
  }
}

function requireFree(path: string, need: number): void {
  const { bavail, bsize } = statfsSync(path)
  if (bavail * bsize < need) throw new StoreError({ code: 'DISK_FULL', path, need })
}

const zeros = Buffer.alloc(2 ** 18)

/** Writes zeros: a file that was only made longer has no blocks yet. */
function extend(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+')
  try {
    for (let at = from; at < to; ) at += writeSync(file, zeros, 0, Math.min(zeros.length, to - at), at)
  } catch (error) {
    ftruncateSync(file, from)
    throw error
  } finally {
    closeSync(file)
  }
}
