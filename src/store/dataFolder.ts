import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../system/makeFolder.ts'
import { StoreError } from './fault.ts'
import { type FileLength, lastTransaction, measureFile } from './fileLength.ts'
import { scanInChild } from './scanInChild.ts'
import { walkPages } from './walkPages.ts'

/** LMDB has two pages from the start. */
const minLength = 2 * 4096

/** Makes a data directory that only this user can read; one that exists stays as it is. */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(path, 0o700)
  // LMDB would make it readable for all.
  closeSync(openSync(join(path, 'data.mdb'), 'wx', 0o600))
}

/** Throws NOT_A_DATA_DIRECTORY unless a path is a data directory or, for a writer, empty. */
export function checkDataFolder(path: string, readOnly: boolean): void {
  if (!existsSync(path) && !readOnly) return
  const fits = existsSync(path) && statSync(path).isDirectory() && (hasData(path) ?? (!readOnly && isEmpty(path)))
  if (!fits) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  if (!readOnly) checkTop(path)
}

/** Refuses a file whose first pages are damaged: LMDB's package would end the process without a word. */
function checkTop(path: string): void {
  const file = join(path, 'data.mdb')
  if (!existsSync(file) || statSync(file).size === 0) return
  const check = () => walkPages(file, { top: true }).findings[0]
  // Where another process writes, it may have been in between; it is named later.
  const reason = check() && check()
  if (reason !== undefined) throw new StoreError({ code: 'DAMAGED', path, reason })
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0
}

/** Whether the folder's LMDB file is one; undefined if there is none. LMDB's package crashes on others. */
function hasData(folder: string): boolean | undefined {
  const file = join(folder, 'data.mdb')
  if (!existsSync(file)) return undefined
  const length = measureFile(file)
  if (length) checkLength(folder, length)
  return length !== undefined
}

/** Refuses a file that lacks pages: LMDB's package would end the process without a word when it reads one. */
function checkLength(path: string, { have, want }: FileLength): void {
  if (have === 0) {
    // Without a transaction nothing is lost: a process ended before it wrote the first page.
    if (lastTransaction(join(path, 'lock.mdb')) > 0n) throw new StoreError({ code: 'EMPTIED', path })
    return
  }
  // LMDB does not write pages at the end that are free: only reading all of the file shows whether something is missing.
  if (have < want && (have < minLength || !scanInChild(path)))
    throw new StoreError({ code: 'TRUNCATED', path, have, want })
}
