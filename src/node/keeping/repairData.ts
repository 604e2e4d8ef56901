import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodeStoredBody } from '../../chain/storedBody.ts'
import { decodeStoredHeader } from '../../chain/storedHeader.ts'
import { equalBytes, type Hash32, includesBytes } from '../../primitives/bytes.ts'
import { bodies, canonical, headers, impersonatedSenders, stateEdits } from '../../store/chainTables.ts'
import { openStore, type Store } from '../../store/openStore.ts'
import { signed } from '../../store/schema.ts'
import type { Reader, Table } from '../../store/table.ts'
import { walkPages } from '../../store/walkPages.ts'
import type { Block } from '../../types/block.ts'
import type { Network } from '../network.ts'
import { type OpenChain, openChain } from '../openChain.ts'

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
  /** Where the damaged database is now. */
  readonly damaged: string
}

/** Rows that are written at once. */
const batch = 2000

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
 * Builds the database of a data path anew: takes the rows of all pages that can still be read, and imports the blocks among
 * them from the genesis block on, as far as they are sound. What this node has signed as a validator is kept.
 */
export async function repairData(dataPath: string, network: Network, options: RepairOptions): Promise<Repaired> {
  const source = join(dataPath, 'database')
  const work = join(dataPath, 'repair')
  rmSync(work, { recursive: true, force: true })
  const salvaged = openStore(join(work, 'salvaged'))
  try {
    const wanted = salvage(join(source, 'data.mdb'), salvaged)
    const empty = openStore(join(work, 'database'))
    copyRows(salvaged, empty, [signed, stateEdits, impersonatedSenders])
    await empty.close()
    const target = await openChain({ dataPath: work, network, checkWork: false, ...options })
    let head: number
    try {
      head = importSound(salvaged, target, wanted, options.onProgress)
    } finally {
      await target.close()
    }
    const damaged = freeName(join(dataPath, 'database.damaged'))
    renameSync(source, damaged)
    renameSync(join(work, 'database'), source)
    return { kept: head, wanted, damaged }
  } finally {
    await salvaged.close()
    rmSync(work, { recursive: true, force: true })
  }
}

function freeName(path: string): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? path : `${path}.${i}`
    if (!existsSync(name)) return name
  }
}

/** Copies the rows that count into another store; returns the number of the last canonical block. */
function salvage(file: string, store: Store): number {
  const tables = new Map(kept.map((table) => [table.name, table]))
  let last = 0
  let rows: { readonly table: Table<unknown, Uint8Array>; readonly key: unknown; readonly value: Uint8Array }[] = []
  const flush = () => {
    store.write((txn) => {
      for (const { table, key, value } of rows) txn.put(table, key, value)
    })
    rows = []
  }
  walkPages(file, {
    onRow(name, key, value) {
      if (name === canonical.name && key.length === 6) last = Math.max(last, canonical.key.decode(key))
      const table = tables.get(name)
      if (!table || key.length === 0) return
      rows.push({ table, key: table.key.decode(key), value: value.slice() })
      if (rows.length >= batch) flush()
    },
  })
  flush()
  return last
}

function copyRows(from: Store, to: Store, tables: readonly Table<unknown, Uint8Array>[]): void {
  from.read((reader) =>
    to.write((txn) => {
      for (const table of tables) for (const [key, value] of reader.range(table, {})) txn.put(table, key, value)
    }),
  )
}

/** Imports blocks, each on the one before, until none fits; returns the number of the last. */
function importSound(
  salvaged: Store,
  { chain }: OpenChain,
  wanted: number,
  onProgress: RepairOptions['onProgress'],
): number {
  for (;;) {
    const head = chain.head()
    const number = Number(head.header.number) + 1
    const next = salvaged.read((reader) => {
      const found = blocksOf(reader, number, head.hash)
      const parents = blocksOf(reader, number + 1).map(({ block }) => block.header.parentHash)
      const main = reader.get(canonical, number)
      // The canonical one first, then those on which others build.
      const rank = ({ hash }: SalvagedBlock) =>
        main && equalBytes(main, hash) ? 0 : includesBytes(parents, hash) ? 1 : 2
      return found.sort((a, b) => rank(a) - rank(b))
    })
    if (!next.some(({ block }) => extend(block))) return number - 1
    onProgress(number, Math.max(wanted, number))
  }

  /** Imports a block; false if it is not sound, or not better than what there is. */
  function extend(block: Block): boolean {
    try {
      return chain.importBlock(block) !== 'known' && chain.head().header.number === block.header.number
    } catch {
      return false
    }
  }
}

interface SalvagedBlock {
  readonly hash: Hash32
  readonly block: Block
}

/** Blocks of a number that can be decoded; with `parent`, only those on that block. */
function blocksOf(reader: Reader, number: number, parent?: Hash32): SalvagedBlock[] {
  const found: SalvagedBlock[] = []
  for (const [key, value] of reader.range(headers, { from: first(number), to: first(number + 1) }))
    try {
      const { header } = decodeStoredHeader(value, key.hash)
      if (parent && !equalBytes(header.parentHash, parent)) continue
      const body = decodeStoredBody(reader.get(bodies, key), header)
      if (body) found.push({ hash: key.hash, block: { header, ...body } })
    } catch {
      // Not a block any more.
    }
  return found
}

function first(number: number): { readonly number: number; readonly hash: Hash32 } {
  return { number, hash: new Uint8Array(32) as Hash32 }
}
