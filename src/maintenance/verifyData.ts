import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalKey, readHeader } from '../chain/records.ts'
import { decodePast, readPast } from '../chain/takeOver/past.ts'
import { verifyAccounts } from '../chain/verify/verifyAccounts.ts'
import { verifyBlocks } from '../chain/verify/verifyBlocks.ts'
import { verifyLogs } from '../chain/verify/verifyLogs.ts'
import { verifyTokens } from '../chain/verify/verifyTokens.ts'
import type { Network } from '../chainData/network.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { verifySignedRecords } from '../consensus/producing/signedRecord.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { bigIntToBytes } from '../primitives/u256.ts'
import { decodeProgress } from '../state/storedDraft.ts'
import { checkPart, type Report } from '../state/verify/report.ts'
import { verifyState } from '../state/verify/verifyState.ts'
import { accountBlockRange } from '../store/chainTables.ts'
import { StoreError } from '../store/fault.ts'
import { lastTransaction } from '../store/fileLength.ts'
import { openStore } from '../store/openStore.ts'
import { decodeOwner, isRunning } from '../store/owner.ts'
import type { PageReport } from '../store/pageVisitor.ts'
import { allTables, meta, privateGroups, publicState, publicState2, signed } from '../store/schema.ts'
import type { AnyTable, Reader } from '../store/table.ts'
import { tokenBlockRange } from '../store/tokenTables.ts'
import { walkPages } from '../store/walkPages.ts'
import { genesisHashOf } from './genesisHash.ts'

/** Something that is wrong with a database, and the table where it is; the file itself is `data.mdb`. */
export interface Finding {
  readonly table: string
  readonly text: string
}

/** What a check of a database has found. */
export interface Verdict {
  /** Undefined where the content could not be read. */
  readonly head: { readonly number: number; readonly hash: Hash32; readonly stateRoot: Hash32 } | undefined
  readonly findings: readonly Finding[]
  /** The first block of which not only the header is there, besides the genesis block. */
  readonly first: number
}

export type OnProgress = (part: string, done: number, all: number) => void

/** More findings would add nothing. */
const maxFindings = 20

const tableNames: ReadonlySet<string> = new Set(allTables.map(({ name }) => name))

/** Checks the whole database of a data path that no node uses; throws LOCKED if one does. */
export async function verifyData(dataPath: string, network: Network, onProgress: OnProgress): Promise<Verdict> {
  const path = join(dataPath, 'database')
  const file = join(path, 'data.mdb')
  if (!existsSync(file)) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  const findings: Finding[] = []
  const report: Report = {
    fault: (table, text) => void (findings.length < maxFindings && findings.push({ table, text })),
    progress: onProgress,
  }
  const pages = walkPages(file, {
    onRow: (table, key, value) => refuseRunning(path, table, key, value),
    onProgress: (done, all) => onProgress('pages', done, all),
  })
  for (const text of pages.findings) report.fault('data.mdb', text)
  if (lastTransaction(join(path, 'lock.mdb')) > BigInt(pages.transaction))
    report.fault('data.mdb', 'the file lacks the last transactions that lock.mdb knows of')
  // LMDB trusts what it reads: it would end the process.
  if (findings.length > 0) return { head: undefined, findings, first: 1 }
  const store = openStore(path, { readOnly: true })
  try {
    return store.read((reader) => {
      const head = verifyContent(reader, network, pages, report)
      return { head, findings, first: readPast(reader)?.first ?? 1 }
    })
  } finally {
    await store.close()
  }
}

/** Throws LOCKED at a row that says that a process which runs is the owner. */
export function refuseRunning(path: string, table: string, key: Uint8Array, value: Uint8Array): void {
  if (table !== meta.name || meta.key.decode(key) !== 'owner') return
  let pid: number | undefined
  try {
    const owner = decodeOwner(value)
    if (isRunning(owner)) pid = owner.pid
  } catch {
    // Damaged: nobody can be named.
  }
  if (pid !== undefined) throw new StoreError({ code: 'LOCKED', path, pid })
}

function verifyContent(reader: Reader, network: Network, { entries }: PageReport, report: Report): Verdict['head'] {
  const { spec } = network
  const consensus = createConsensus(spec)
  const genesis = genesisHashOf(network)
  const rows = ({ name }: AnyTable) => entries.get(name) ?? 0
  for (const name of entries.keys())
    if (!tableNames.has(name))
      report.fault(
        'data.mdb',
        `there is a table '${name}' of which this version knows nothing: its name is damaged, or newer`,
      )
  verifyMeta(reader, spec.chainId, report)
  const number = verifyBlocks(reader, { spec, consensus, genesis, rows }, report)
  verifyLogs(reader, number, report)
  // Older databases do not have the tables.
  if (entries.has(accountBlockRange.name)) verifyAccounts(reader, number, report)
  if (entries.has(tokenBlockRange.name)) verifyTokens(reader, number, report)
  const headerAt = (block: number) => {
    const key = canonicalKey(reader, BigInt(block))
    return key && readHeader(reader, key)
  }
  const tables = reader.peek(meta, 'state')?.[0] === 1 ? publicState2 : publicState
  verifyState(reader, { tables, rootOf: (block) => headerAt(block)?.header.stateRoot, head: number }, report)
  checkPart(report, privateGroups.name, () => {
    for (const [group] of reader.range(privateGroups, {})) verifyState(reader, { group }, report)
  })
  checkPart(report, signed.name, () => verifySignedRecords(reader))
  const head = headerAt(number)
  return head && { number, hash: head.hash, stateRoot: head.header.stateRoot }
}

function verifyMeta(reader: Reader, chainId: bigint, report: Report): void {
  for (const [key, value] of reader.range(meta, {})) {
    const isFine: Readonly<Record<string, boolean>> = {
      schema: value.length === 1,
      state: value.length === 1 && value[0]! <= 1,
      owner: true,
      alloc: value.length === 32,
      chainId: equalBytes(value, bigIntToBytes(chainId)),
      restored: value.length === 8,
      past: doesDecode(() => decodePast(value)),
      snap: doesDecode(() => decodeProgress(value)),
    }
    if (!isFine[key]) report.fault(meta.name, `the entry '${key}' is damaged`)
  }
}

function doesDecode(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch {
    return false
  }
}
