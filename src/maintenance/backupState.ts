import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalKey, readMark, requireHead } from '../chain/records.ts'
import { copyState } from '../state/copyState.ts'
import { headers } from '../store/chainTables.ts'
import { openStore } from '../store/openStore.ts'
import { meta, publicState, publicState2 } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader } from '../store/table.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { type BackupNote, type BackupOptions, noteFile, noteOf } from './backupData.ts'
import { BackupError } from './fault.ts'
import { sumsFile, writeSums } from './sums.ts'
import { packTar } from './tar.ts'

/** Folder of the headers and the state in a backup. Not `database`: who restores has to check it first, since anybody may have made it. */
export const stateFolder = 'state'
/** The file in it. */
export const stateFile = `${stateFolder}/data.mdb`

/** Headers that are written in one transaction. */
const headersAtOnce = 5000

/** Writes the newest state and all headers of a node, running or not, without its history; returns what is in the backup. */
export async function backupState(
  dataPath: string,
  { to, onProgress }: Omit<BackupOptions, 'withKey'>,
): Promise<BackupNote & { readonly bytes: number }> {
  if (existsSync(to)) throw new BackupError({ code: 'TARGET_EXISTS', path: to, advice: 'choose another name' })
  const isFile = to.endsWith('.tar')
  const folder = `${to}.partial`
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder, 0o700)
  try {
    const source = openStore(join(dataPath, 'database'), { readOnly: true })
    const target = openStore(join(folder, stateFolder))
    let note: BackupNote
    try {
      note = source.read((reader) => copyAll(reader, dataPath, target, onProgress))
    } finally {
      await target.close()
      await source.close()
    }
    rmSync(join(folder, stateFolder, 'lock.mdb'), { force: true })
    writeFileSync(join(folder, noteFile), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
    const names = [stateFile, noteFile]
    const bytes = statSync(join(folder, stateFile)).size
    const counter = (part: string) => {
      let done = 0
      return (count: number) => onProgress(part, (done += count), bytes)
    }
    await writeSums(folder, names, counter('checksums'))
    if (isFile) {
      packTar(folder, [...names, sumsFile], `${folder}.tar`, counter('packing'))
      renameSync(`${folder}.tar`, to)
    } else renameSync(folder, to)
    return { ...note, bytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.tar`, { force: true })
  }
}

function copyAll(reader: Reader, dataPath: string, target: Store, onProgress: BackupOptions['onProgress']): BackupNote {
  const head = requireHead(reader)
  const number = Number(head.header.number)
  if (number === 0) {
    const reason = readMark(reader, 'ahead') ? 'it is being downloaded' : 'its chain has only the genesis block'
    throw new BackupError({ code: 'NO_STATE', path: dataPath, reason })
  }
  for (let next = 0; next <= number; ) {
    const end = Math.min(next + headersAtOnce, number + 1)
    target.write((txn) => {
      for (; next < end; next++) {
        const key = canonicalKey(reader, BigInt(next))!
        txn.append(headers, key, reader.get(headers, key)!)
      }
    })
    onProgress('headers', next, number)
  }
  const tables = reader.peek(meta, 'state')?.[0] === 1 ? publicState2 : publicState
  // How many rows there are is not known before they are read.
  copyState(reader, tables, { store: target, tables: publicState }, (rows) => onProgress(`state, ${rows} rows`, 0, 1))
  return { ...noteOf(reader), kind: 'state' }
}
