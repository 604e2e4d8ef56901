import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalKey, requireHead } from '../chain/records.ts'
import { clientVersion } from '../config/clientVersion.ts'
import { toHex } from '../primitives/hex.ts'
import { copyStore } from '../store/copyStore.ts'
import { openStore } from '../store/openStore.ts'
import { schemaVersion } from '../store/schema.ts'
import type { Reader } from '../store/table.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { BackupError } from './fault.ts'
import { sumsFile, writeSums } from './sums.ts'
import { packTar } from './tar.ts'

/** What a backup says about itself, in `backup.json`. */
export interface BackupNote {
  readonly format: 1
  /** Of a backup that has the newest state and the headers, and no blocks. */
  readonly kind?: 'state'
  readonly created: string
  readonly program: string
  readonly schema: number
  readonly genesis: string
  readonly head: { readonly number: number; readonly hash: string; readonly stateRoot: string }
}

/** Name of the note in a backup. */
export const noteFile = 'backup.json'
/** The store of the private transaction manager, in a backup and in the data path. */
const managerFile = 'privacy/data.mdb'
/** Folder of the sources of contracts: each file is written at once, so that a copy has it as a whole. */
const sourcesFolder = 'sources'
/** Files of the data path that belong to a backup where they exist. */
const small = ['static-nodes.json', 'permissions_config.toml']
/** The same with the private keys of the node and of its private transaction manager. */
const secret = ['key', 'privacy.key', 'privacy.pub']

export interface BackupOptions {
  /** A folder, or a file whose name ends in `.tar`. */
  readonly to: string
  /** Includes the private keys of the node and of its private transaction manager. */
  readonly withKey: boolean
  onProgress(part: string, done: number, all: number): void
}

/** Backs up the data path of a node, running or not; returns what is in the backup. */
export async function backupData(dataPath: string, { to, withKey, onProgress }: BackupOptions): Promise<BackupNote> {
  if (existsSync(to)) throw new BackupError({ code: 'TARGET_EXISTS', path: to, advice: 'choose another name' })
  const isFile = to.endsWith('.tar')
  // Under its own name a backup is always whole.
  const folder = `${to}.partial`
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder, 0o700)
  try {
    await copyStore(join(dataPath, 'database'), join(folder, 'database'), (done, all) =>
      onProgress('copying', done, all),
    )
    // After the database: the manager then has all payloads that the chain knows of.
    const hasManager = existsSync(join(dataPath, managerFile))
    if (hasManager)
      await copyStore(join(dataPath, 'privacy'), join(folder, 'privacy'), (done, all) =>
        onProgress('copying private payloads', done, all),
      )
    const note = await readNote(join(folder, 'database'))
    rmSync(join(folder, 'database/lock.mdb'), { force: true })
    writeFileSync(join(folder, noteFile), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
    const more = [...small, ...(withKey ? secret : [])].filter((name) => existsSync(join(dataPath, name)))
    for (const name of more) copyFileSync(join(dataPath, name), join(folder, name))
    const sources = copySources(dataPath, folder)
    const names = ['database/data.mdb', ...(hasManager ? [managerFile] : []), noteFile, ...more, ...sources]
    const all = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    const counter = (part: string) => {
      let done = 0
      return (count: number) => onProgress(part, (done += count), all)
    }
    await writeSums(folder, names, counter('checksums'))
    if (isFile) {
      packTar(folder, [...names, sumsFile], `${folder}.tar`, counter('packing'))
      renameSync(`${folder}.tar`, to)
    } else renameSync(folder, to)
    return note
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.tar`, { force: true })
  }
}

/** Copies verified sources and given ABIs; returns their names. */
function copySources(dataPath: string, folder: string): readonly string[] {
  const from = join(dataPath, sourcesFolder)
  if (!existsSync(from)) return []
  makeFolder(join(folder, sourcesFolder), 0o700)
  return readdirSync(from).flatMap((name) => {
    // What is being written just now, and answers of compilers, are not kept.
    if (!/^0x[0-9a-f]{40}\.(?:verified|abi)$/.test(name)) return []
    copyFileSync(join(from, name), join(folder, sourcesFolder, name))
    return [`${sourcesFolder}/${name}`]
  })
}

async function readNote(database: string): Promise<BackupNote> {
  const store = openStore(database, { readOnly: true })
  try {
    return store.read(noteOf)
  } finally {
    await store.close()
  }
}

/** What a backup says of a chain. */
export function noteOf(reader: Reader): BackupNote {
  const { header, hash } = requireHead(reader)
  return {
    format: 1,
    created: new Date().toISOString(),
    program: clientVersion(),
    schema: schemaVersion,
    genesis: toHex(canonicalKey(reader, 0n)!.hash),
    head: { number: Number(header.number), hash: toHex(hash), stateRoot: toHex(header.stateRoot) },
  }
}
