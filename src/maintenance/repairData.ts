import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodeStoredBody } from '../chain/storedBody.ts'
import { decodeStoredHeader } from '../chain/storedHeader.ts'
import type { HashedHeader } from '../chain/view.ts'
import type { Network } from '../chainData/network.ts'
import { createNodeConsensus, type OpenChain, openChain } from '../chainData/openChain.ts'
import { markRestored } from '../consensus/producing/restoredMark.ts'
import { removeDamagedRecords } from '../consensus/producing/signedRecord.ts'
import { concatBytes, equalBytes, type Hash32, includesBytes } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { bodies, canonical, headers, impersonatedSenders, receipts, stateEdits } from '../store/chainTables.ts'
import { bytesCodec } from '../store/codec.ts'
import { lastTransaction } from '../store/fileLength.ts'
import { holdFolder } from '../store/hold.ts'
import { openStore } from '../store/openStore.ts'
import { signed } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Table } from '../store/table.ts'
import { walkPages } from '../store/walkPages.ts'
import { orderedTrieRoot } from '../trie/orderedRoot.ts'
import { type Block, type Body, ommersHashOf } from '../types/block.ts'
import { encodeTx } from '../types/encodeTx.ts'
import type { Header } from '../types/header.ts'
import { encodeWithdrawal } from '../types/withdrawal.ts'
import { refuseRunning } from './verifyData.ts'

export interface RepairOptions {
  readonly keepRevertReasons: boolean
  readonly indexLogs: boolean
  onProgress(done: number, all: number): void
}

/** What became of a damaged database. */
export interface Repaired {
  /** Number of the head. */
  readonly kept: number
  /** Number of the last block that the damaged database knew. */
  readonly wanted: number
  /** Why the block after the head could not be imported; undefined if there is none. */
  readonly reason: string | undefined
  /** Whether the record of what this node has signed was kept, if there was one: else a validator waits for a later block. */
  readonly recordKept: boolean
  /** Where the damaged database is now. */
  readonly damaged: string
}

/** Rows that are written at once. */
const batch = 2000

/** Rows of pages of which it is not known to which table they belong, by the key of a block and their own hash. */
const strayBodies = { ...receipts, key: bytesCodec, value: bytesCodec }
const blockKeyLength = 6 + 32

/** What cannot be computed from anything else. */
const kept: readonly Table<unknown, Uint8Array>[] = [
  headers,
  bodies,
  canonical,
  signed,
  stateEdits,
  impersonatedSenders,
]

/**
 * Rebuilds the database of a data path: takes the rows of all pages that can still be read, and imports the blocks among
 * them from the genesis block on, as far as they are sound. What this node has signed as a validator is kept. No node can be started
 * on the data path meanwhile.
 */
export async function repairData(dataPath: string, network: Network, options: RepairOptions): Promise<Repaired> {
  const source = join(dataPath, 'database')
  const release = holdFolder(source)
  const work = join(dataPath, 'repair')
  rmSync(work, { recursive: true, force: true })
  const salvaged = openStore(join(work, 'salvaged'))
  try {
    const hashOf = createNodeConsensus(network, undefined, false).consensus.hash
    const { wanted, recordKept } = salvage(source, salvaged, hashOf)
    const empty = openStore(join(work, 'database'))
    copyRows(salvaged, empty, [signed, stateEdits, impersonatedSenders])
    if (!recordKept) empty.write((txn) => markRestored(txn, Date.now()))
    await empty.close()
    const target = await openChain({ dataPath: work, network, checkWork: false, ...options })
    let imported: { readonly head: number; readonly reason: string }
    try {
      imported = importSound(salvaged, target, wanted, hashOf, options.onProgress)
    } finally {
      await target.close()
    }
    const damaged = freeName(join(dataPath, 'database.damaged'))
    renameSync(source, damaged)
    renameSync(join(work, 'database'), source)
    const { head, reason } = imported
    return { kept: head, wanted, reason: head < wanted ? reason : undefined, recordKept, damaged }
  } finally {
    await salvaged.close()
    rmSync(work, { recursive: true, force: true })
    release()
  }
}

function freeName(path: string): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? path : `${path}.${i}`
    if (!existsSync(name)) return name
  }
}

type HashOf = (header: Header) => Hash32

interface Salvaged {
  /** Number of the last block that is known of. */
  readonly wanted: number
  readonly recordKept: boolean
}

/** Parts of the file, beside its tables, in whose damage a record of what was signed may be lost, or an older one be found. */
const partsOfAll = [signed.name, 'list of tables', 'the first pages of the file are damaged']
const oneMeta = 'one of the first two pages of the file is damaged'

/** Copies the rows that count into another store. */
function salvage(source: string, store: Store, hashOf: HashOf): Salvaged {
  const tables = new Map(kept.map((table) => [table.name, table]))
  let wanted = 0
  let rows: { readonly table: Table<unknown, Uint8Array>; readonly key: unknown; readonly value: Uint8Array }[] = []
  const flush = () => {
    store.write((txn) => {
      // A row to which sound pages lead comes first, and counts.
      for (const { table, key, value } of rows) if (!txn.peek(table, key)) txn.put(table, key, value)
    })
    rows = []
  }
  const keep = (table: Table<unknown, Uint8Array>, key: unknown, value: Uint8Array) => {
    rows.push({ table, key, value: value.slice() })
    if (rows.length >= batch) flush()
  }
  const keepHeader = (key: Uint8Array, value: Uint8Array) => {
    const block = headers.key.decode(key)
    wanted = Math.max(wanted, block.number)
    keep(headers as Table<unknown, Uint8Array>, block, value)
  }
  const file = join(source, 'data.mdb')
  const { damaged, transaction } = walkPages(file, {
    onRow(name, key, value) {
      refuseRunning(source, name, key, value)
      const table = tables.get(name)
      if (!table || key.length === 0) return
      if (name === canonical.name && key.length === 6) wanted = Math.max(wanted, canonical.key.decode(key))
      if (name !== headers.name) keep(table, table.key.decode(key), value)
      else if (isHeader(key, value)) keepHeader(key, value)
    },
    onStray(key, value) {
      if (key.length !== blockKeyLength) return
      if (isHeader(key, value)) keepHeader(key, value)
      // What else has such keys is no body of that block, which shows when it is read.
      else keep(strayBodies, concatBytes(key, keccak256(value)), value)
    },
  })
  flush()
  const isBehind = lastTransaction(join(source, 'lock.mdb')) > BigInt(transaction)
  const isLost = isBehind || damaged.has(oneMeta) || partsOfAll.some((part) => damaged.has(part))
  const wasDamaged = store.write(removeDamagedRecords)
  return { wanted, recordKept: !isLost && !wasDamaged }

  function isHeader(key: Uint8Array, value: Uint8Array): boolean {
    try {
      const { number, hash } = headers.key.decode(key)
      const { header } = decodeStoredHeader(value, hash)
      return Number(header.number) === number && equalBytes(hashOf(header), hash)
    } catch {
      return false
    }
  }
}

function copyRows(from: Store, to: Store, tables: readonly Table<unknown, Uint8Array>[]): void {
  from.read((reader) =>
    to.write((txn) => {
      for (const table of tables) for (const [key, value] of reader.range(table, {})) txn.put(table, key, value)
    }),
  )
}

/** Imports blocks, each on the one before, until none fits; returns the number of the last, and why the next one does not. */
function importSound(
  salvaged: Store,
  { chain }: OpenChain,
  wanted: number,
  hashOf: HashOf,
  onProgress: RepairOptions['onProgress'],
): { readonly head: number; readonly reason: string } {
  let reason = ''
  for (;;) {
    const head = chain.head()
    const number = Number(head.header.number) + 1
    reason = `the header of block ${number} cannot be read`
    const next = salvaged.read((reader) => {
      const found = headersOf(reader, number, head.hash)
      const parents = headersOf(reader, number + 1).map(({ header }) => header.parentHash)
      const main = reader.get(canonical, number)
      // The canonical one first, then those on which others build.
      const rank = ({ hash }: HashedHeader) =>
        main && equalBytes(main, hash) ? 0 : includesBytes(parents, hash) ? 1 : 2
      return found.sort((a, b) => rank(a) - rank(b)).map((header) => ({ ...header, body: bodyOf(reader, header) }))
    })
    if (!next.some(extend)) return { head: number - 1, reason }
    onProgress(number, Math.max(wanted, number))
  }

  /** Imports a block; false if it is not sound, or not better than what there is. */
  function extend({ header, body }: HashedHeader & { readonly body: Body | undefined }): boolean {
    if (!body) {
      reason = `the transactions of block ${header.number} cannot be read`
      return false
    }
    const block: Block = { header, ...body }
    try {
      if (chain.importBlock(block) !== 'known' && equalBytes(chain.head().hash, hashOf(header))) return true
      reason = `block ${header.number} does not follow`
    } catch (error) {
      reason = `block ${header.number} is refused: ${(error as Error).message}`
    }
    return false
  }
}

/** Headers of a number; with `parent`, only those on that block. */
function headersOf(reader: Reader, number: number, parent?: Hash32): HashedHeader[] {
  const found: HashedHeader[] = []
  for (const [{ hash }, value] of reader.range(headers, { from: first(number), to: first(number + 1) })) {
    const { header } = decodeStoredHeader(value, hash)
    if (!parent || equalBytes(header.parentHash, parent)) found.push({ header, hash })
  }
  return found
}

/** The body of a block, wherever it was found. */
function bodyOf(reader: Reader, { header, hash }: HashedHeader): Body | undefined {
  const key = { number: Number(header.number), hash }
  const bytes = bodies.key.encode(key)
  const strays = reader.range(strayBodies, { from: bytes, to: concatBytes(bytes, new Uint8Array(32).fill(0xff)) })
  for (const value of [reader.get(bodies, key), ...Array.from(strays, ([, stray]) => stray)])
    try {
      const body = decodeStoredBody(value, header)
      if (body && isBodyOf(header, body)) return body
    } catch {
      // Not a body, or not any more.
    }
  return undefined
}

function isBodyOf({ transactionsRoot, ommersHash, withdrawalsRoot }: Header, body: Body): boolean {
  const { transactions, ommers, withdrawals } = body
  return (
    equalBytes(transactionsRoot, orderedTrieRoot(transactions.map(encodeTx))) &&
    equalBytes(ommersHash, ommersHashOf(ommers)) &&
    (!withdrawalsRoot || equalBytes(withdrawalsRoot, orderedTrieRoot((withdrawals ?? []).map(encodeWithdrawal))))
  )
}

function first(number: number): { readonly number: number; readonly hash: Hash32 } {
  return { number, hash: new Uint8Array(32) as Hash32 }
}
