import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireHead } from '../chain/records.ts'
import { markRestored, removeRestoredMark } from '../consensus/producing/restoredMark.ts'
import { toHex } from '../primitives/hex.ts'
import { StoreError } from '../store/fault.ts'
import { openStore } from '../store/openStore.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { type BackupNote, noteFile } from './backupData.ts'
import { stateFile } from './backupState.ts'
import { BackupError } from './fault.ts'
import { restoreState, type StateTerms } from './restoreState.ts'
import { readSums, sumOf } from './sums.ts'
import { unpackTar } from './tar.ts'

export interface RestoreOptions {
  /** A folder, or a file that `backupData` made. */
  readonly from: string
  /** Hash of the genesis block that the backup must have; any if undefined. */
  readonly genesis: string | undefined
  /** Whether a validator may sign at once: nothing was signed since the backup that still counts. */
  readonly maySign?: boolean
  /** What the backup of a state is checked with. */
  readonly terms?: StateTerms
  onProgress(part: string, done: number, all: number): void
}

/** Restores a backup into a data path that has no database; nothing is left there unless every byte is as it was written. */
export async function restoreData(
  dataPath: string,
  { from, genesis, maySign = false, terms, onProgress }: RestoreOptions,
): Promise<BackupNote> {
  const database = join(dataPath, 'database')
  if (existsSync(database))
    throw new BackupError({
      ...{ code: 'TARGET_EXISTS', path: database },
      advice: 'stop the node and move that folder away first, or restore to another --data-path',
    })
  if (!existsSync(from)) throw new BackupError({ code: 'NOT_A_BACKUP', path: from, reason: 'it does not exist' })
  const work = join(dataPath, 'restore')
  rmSync(work, { recursive: true, force: true })
  makeFolder(work, 0o700)
  try {
    const isFile = statSync(from).isFile()
    const folder = isFile ? work : from
    if (isFile) unpackTar(from, work, countBytes(onProgress, 'unpacking', statSync(from).size))
    const sums = readSums(folder)
    const note = readNote(folder, sums)
    if (genesis !== undefined && note.genesis !== genesis)
      throw new BackupError({ code: 'BACKUP_OF_OTHER_NETWORK', path: from, have: note.genesis, want: genesis })
    const restored = isFile ? work : join(work, 'copy')
    if (!isFile) copyAll(folder, restored, [...sums.keys()], onProgress)
    await checkSums(from, restored, sums, onProgress)
    if (sums.has(stateFile)) {
      if (!terms) throw new BackupError({ code: 'GENESIS_NEEDED', path: from })
      const made = await restoreState({ ...terms, from, folder: restored, work: join(work, 'state'), onProgress })
      await checkHead(from, made, note)
      renameSync(made, database)
      return note
    }
    await checkHead(from, join(restored, 'database'), note)
    await mark(join(restored, 'database'), maySign)
    for (const name of sums.keys())
      if (name !== 'database/data.mdb' && name !== noteFile) moveNew(restored, dataPath, name)
    rmSync(join(restored, 'database/lock.mdb'), { force: true })
    renameSync(join(restored, 'database'), database)
    return note
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type OnProgress = RestoreOptions['onProgress']

function countBytes(onProgress: OnProgress, part: string, all: number): (count: number) => void {
  let done = 0
  return (count) => onProgress(part, (done += count), all)
}

function readNote(folder: string, sums: ReadonlyMap<string, string>): BackupNote {
  const data = sums.has(stateFile) ? stateFile : 'database/data.mdb'
  for (const name of [data, noteFile])
    if (!sums.has(name)) throw new BackupError({ code: 'BACKUP_DAMAGED', path: folder, reason: `${name} is missing` })
  try {
    return JSON.parse(readFileSync(join(folder, noteFile), 'utf8')) as BackupNote
  } catch (error) {
    throw new BackupError({ code: 'BACKUP_DAMAGED', path: folder, reason: `${noteFile} cannot be read` }, error)
  }
}

function copyAll(from: string, to: string, names: readonly string[], onProgress: OnProgress): void {
  names.forEach((name, i) => {
    if (!existsSync(join(from, name)))
      throw new BackupError({ code: 'BACKUP_DAMAGED', path: from, reason: `${name} is missing` })
    makeFolder(dirname(join(to, name)), 0o700)
    copyFileSync(join(from, name), join(to, name))
    onProgress('copying', i + 1, names.length)
  })
}

async function checkSums(
  from: string,
  folder: string,
  sums: ReadonlyMap<string, string>,
  onProgress: OnProgress,
): Promise<void> {
  const missing = [...sums.keys()].find((name) => !existsSync(join(folder, name)))
  if (missing !== undefined)
    throw new BackupError({ code: 'BACKUP_DAMAGED', path: from, reason: `${missing} is missing` })
  const all = [...sums.keys()].reduce((total, name) => total + statSync(join(folder, name)).size, 0)
  const count = countBytes(onProgress, 'checksums', all)
  for (const [name, sum] of sums)
    if ((await sumOf(join(folder, name), count)) !== sum)
      throw new BackupError({ code: 'BACKUP_DAMAGED', path: from, reason: `${name} does not have its checksum` })
}

async function checkHead(from: string, database: string, { head }: BackupNote): Promise<void> {
  const store = openStore(database, { readOnly: true })
  try {
    const { hash } = store.read(requireHead)
    if (toHex(hash) !== head.hash)
      throw new BackupError({ code: 'BACKUP_DAMAGED', path: from, reason: 'its head is not the one that it names' })
  } finally {
    await store.close()
  }
}

async function mark(database: string, maySign: boolean): Promise<void> {
  const store = openStore(database)
  store.write((txn) => (maySign ? removeRestoredMark(txn) : markRestored(txn, Date.now())))
  await store.close()
}

/** Lets the validator of a data path that was restored sign at once. */
export async function allowSigning(dataPath: string): Promise<void> {
  const database = join(dataPath, 'database')
  if (!existsSync(database)) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path: database })
  await mark(database, true)
}

/** Moves a file to the data path unless it has one: what the operator put there counts. */
function moveNew(from: string, to: string, name: string): void {
  if (existsSync(join(to, name))) return
  makeFolder(dirname(join(to, name)), 0o700)
  renameSync(join(from, name), join(to, name))
}
