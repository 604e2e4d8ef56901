import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { identify } from '../chain/identify.ts'
import { decodeStoredHeader } from '../chain/storedHeader.ts'
import type { HashedHeader } from '../chain/view.ts'
import type { Network } from '../chainData/network.ts'
import { type OpenChain, openChain } from '../chainData/openChain.ts'
import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { createHeaderTrust, type HeaderTrust } from '../consensus/headerTrust.ts'
import { markRestored } from '../consensus/producing/restoredMark.ts'
import { BlockError } from '../execution/fault.ts'
import type { Address } from '../primitives/bytes.ts'
import { copyState } from '../state/copyState.ts'
import { verifyState } from '../state/verify/verifyState.ts'
import { headers } from '../store/chainTables.ts'
import { openStore } from '../store/openStore.ts'
import { meta, publicState, publicState2 } from '../store/schema.ts'
import type { Reader } from '../store/table.ts'
import { walkPages } from '../store/walkPages.ts'
import type { BackupOptions } from './backupData.ts'
import { stateFile, stateFolder } from './backupState.ts'
import { BackupError } from './fault.ts'

/** What decides whether a state is believed, and what comes after it. */
export interface StateTerms {
  readonly network: Network
  /** Validators of now, where a contract names them (`--snap-validators`). */
  readonly validators: readonly Address[]
  /** Blocks before the state that are wanted from peers. */
  readonly pastBlocks: number
}

interface RestoreStateParts extends StateTerms {
  /** Name of the backup, for messages. */
  readonly from: string
  /** Where its files are. */
  readonly folder: string
  /** A folder in which the database is made. */
  readonly work: string
  readonly onProgress: BackupOptions['onProgress']
}

/** Headers that are checked together: the seals of the last one vouch for the others. */
const headersAtOnce = 192

/**
 * Makes a database of a state and headers that anybody may have written: headers are followed from the genesis block on as those of peers
 * are, and the root of the state is computed again. Returns the folder of the database.
 */
export async function restoreState(parts: RestoreStateParts): Promise<string> {
  const { from, folder, work, network, onProgress } = parts
  const file = join(folder, stateFile)
  const pages = walkPages(file, { onRow() {}, onProgress: (done, all) => onProgress('pages', done, all) })
  // LMDB trusts what it reads.
  const [damage] = pages.findings
  if (damage !== undefined) throw new BackupError({ code: 'BACKUP_DAMAGED', path: from, reason: damage })
  const dataPath = join(work, 'made')
  const source = openStore(join(folder, stateFolder), { readOnly: true })
  const opened = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
  try {
    source.read((reader) => {
      const trust = trustOf(opened, parts)
      followHeaders(reader, opened, trust, parts)
      takeState(reader, opened, trust, parts)
    })
    opened.store.write((txn) => markRestored(txn, Date.now()))
  } catch (error) {
    throw error instanceof BlockError ? refusal(from, error.message, error) : error
  } finally {
    await opened.close()
    await source.close()
  }
  const made = join(work, 'database')
  rmSync(join(dataPath, 'database/lock.mdb'), { force: true })
  renameSync(join(dataPath, 'database'), made)
  return made
}

function refusal(path: string, reason: string, cause?: unknown): BackupError {
  return new BackupError({ code: 'STATE_NOT_BELIEVED', path, reason }, cause)
}

function trustOf({ consensus }: OpenChain, { from, validators }: RestoreStateParts): HeaderTrust {
  if (!isAuthorityEngine(consensus)) throw refusal(from, 'no validators of this network vouch for it')
  return createHeaderTrust(consensus, validators)
}

function followHeaders(
  reader: Reader,
  { chain, consensus }: OpenChain,
  trust: HeaderTrust,
  { from, onProgress }: RestoreStateParts,
): void {
  let last = 0
  for (const [key] of reader.range(headers, { reverse: true, limit: 1 })) last = key.number
  let list: HashedHeader[] = []
  const flush = () => {
    chain.importHeaders(list, trust.check)
    onProgress('headers', Number(chain.lastHeader().header.number), last)
    list = []
  }
  for (const [key, stored] of reader.range(headers, {})) {
    if (key.number === 0) continue
    try {
      list.push(identify(consensus, decodeStoredHeader(stored, key.hash).header))
    } catch (error) {
      throw refusal(from, `header ${key.number} cannot be read`, error)
    }
    if (list.length === headersAtOnce) flush()
  }
  if (list.length > 0) flush()
}

function takeState(
  reader: Reader,
  { chain, store, states }: OpenChain,
  trust: HeaderTrust,
  { from, pastBlocks, onProgress }: RestoreStateParts,
): void {
  const last = chain.lastHeader()
  if (last.header.number === 0n) throw refusal(from, 'it has no headers')
  chain.read((view) => trust.checkPivot(last, view.parentOf(last.header)!, view))
  const number = Number(last.header.number)
  const isSecond = store.read((target) => target.peek(meta, 'state')?.[0] === 1)
  const tables = isSecond ? publicState : publicState2
  try {
    copyState(reader, publicState, { store, tables }, (rows) => onProgress(`state, ${rows} rows`, 0, 1))
  } catch (error) {
    throw refusal(from, (error as Error).message, error)
  }
  chain.adoptState((txn) => states.adopt(txn, number, last.header.stateRoot), pastBlocks)
  const faults: string[] = []
  const report = {
    fault: (table: string, text: string) => void faults.push(`${table}: ${text}`),
    progress: (part: string, done: number) => onProgress(`checking the ${part}, ${done} accounts`, 0, 1),
  }
  const rootOf = (block: number) => (block === number ? last.header.stateRoot : undefined)
  store.read((target) => verifyState(target, { tables, rootOf, head: number }, report))
  if (faults[0] !== undefined) throw refusal(from, faults[0])
}
