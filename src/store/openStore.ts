import { useAndClose } from '../primitives/useAndClose.ts'
import { textCodec } from './codec.ts'
import { checkDataFolder, makeDataFolder } from './dataFolder.ts'
import { StoreError } from './fault.ts'
import { checkNotHeld } from './hold.ts'
import {
  binary,
  closeNow,
  type LmdbRoot,
  type LmdbTable,
  type LmdbTxn,
  openLmdb,
  peekTable,
  putTable,
  removeFrom,
  transact,
} from './lmdb.ts'
import { mappedBytes } from './mappedBytes.ts'
import { createOwner, decodeOwner, encodeOwner, isRunning, type Owner } from './owner.ts'
import { createReader } from './reader.ts'
import { allTables, meta, oldestSchema, schemaVersion } from './schema.ts'
import type { AnyTable, Reader, Snapshot, Transaction } from './table.ts'
import { withFaults } from './withFaults.ts'
import { openWriteBehind, type WriteBehind } from './writeBehind.ts'

export interface StoreOptions {
  /** Reads what another process writes; nothing is created, `write` is refused. */
  readonly readOnly?: boolean
  /** Bytes of files, the program's own among them, that may be resident before a writer maps the store again; no limit without it. */
  readonly maxMapped?: number | undefined
  /** Those of a node without it. */
  readonly tables?: readonly AnyTable[]
  /** Writes for this owner, who has the directory open, and leaves its mark. */
  readonly owner?: Owner
}

/** Another thread that writes to the store, for its owner. */
export interface Borrower {
  /** Returns when all that it wrote is on disk; it writes nothing more until it is released. With `letsGo` it has closed its file, too. */
  hold(letsGo: boolean): void
  release(): void
}

/** What the owner tells the store of a borrower. */
export interface Loan {
  /** To be called after it has written. */
  written(): void
  /** To be called when it will not write any more. */
  end(): void
}

export interface Store {
  readonly path: string
  /** Who may write; undefined if it is only read. */
  readonly owner: Owner | undefined
  /** Reads the last committed state; the reader is valid until `ask` returns. Inside `write` use the transaction instead. */
  read<T>(ask: (reader: Reader) => T): T
  /** Reads the write transaction that is open, or else the last committed state: each read may see another one. */
  readonly latest: Reader
  /**
   * A snapshot for those who keep one: they must close it. All others call `read`. `letGo` is called, in a turn of its own, when
   * the store has grown in memory: who keeps a snapshot for long closes it then, and opens another one when it is needed.
   */
  openSnapshot(letGo?: () => void): Snapshot
  /** Runs `action` in one transaction: on disk when this returns; an exception leaves nothing behind. */
  write<T>(action: (txn: Transaction) => T): T
  /** Starts a thread that writes behind, one at a time, until it is closed. `write` waits for what is on its way. */
  openBehind(): Promise<WriteBehind>
  /** Returns when all that was written behind is on disk; later reads see it. */
  flush(): void
  /** Lets another thread write, which has opened the same directory for this owner. `write` holds it meanwhile. */
  lend(borrower: Borrower): Loan
  /** Closes the file, and has the thread that writes behind close it, until somebody reads or writes; nothing may be open. */
  letGo(): void
  /** Asks those who keep snapshots to let go of them, then closes the file until somebody reads or writes, if nothing is open. */
  rest(): void
  /**
   * Another thread of this process reads the file, which takes memory until both have closed it: `ask` is called instead of closing it when
   * too much of it lies in memory, and `rest` has to be called when the other thread has closed it. Returns a function that ends that.
   */
  share(ask: () => void): () => void
  /** Lets the pages be reused that processes were reading when they were killed. */
  forgetDeadReaders(): void
  /** Whether a snapshot or transaction is one of this store's. */
  owns(reader: Reader): boolean
  close(): Promise<void>
}

/** Address space that the file may take; no memory or disk is used for it. LMDB maps more when this is not enough. */
const mapSize = 2 ** 40

const schemaKey = 'schema'
const ownerKey = 'owner'

/** Opens the data directory `path`, making it if it does not exist, as its only writer. */
export function openStore(path: string, options: StoreOptions = {}): Store {
  const readOnly = options.readOnly ?? false
  if (!readOnly) checkNotHeld(path)
  checkDataFolder(path, readOnly)
  if (!readOnly) withFaults(path, () => makeDataFolder(path))
  const root = openRoot(path, readOnly)
  try {
    return readOnly ? openReadOnly(root, path) : openWritable(root, path, options)
  } catch (error) {
    void root.close()
    throw error
  }
}

function openRoot(path: string, readOnly: boolean): LmdbRoot {
  return withFaults(path, () => openLmdb(path, { readOnly, mapSize }))
}

/** A file that lies in memory, with its tables. */
interface Mapping {
  readonly root: LmdbRoot
  /** By name. */
  readonly tables: ReadonlyMap<string, LmdbTable>
}

/** Maps the file of a store that is open. */
function openMapping(path: string, named: readonly AnyTable[]): Mapping {
  const root = openRoot(path, false)
  const tables = new Map<string, LmdbTable>()
  openTables(root, tables, [meta, ...named])
  return { root, tables }
}

function openReadOnly(root: LmdbRoot, path: string): Store {
  const metaTable = root.openDB(meta.name, binary)
  if (metaTable === undefined) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  const tables = new Map([[meta.name, metaTable]])
  checkSchema(metaTable, path)
  openTables(root, tables, allTables)
  return createStore({ root, tables }, path, undefined, {})
}

function openWritable(root: LmdbRoot, path: string, options: StoreOptions): Store {
  // Any LMDB environment opens; ours has a table `meta`.
  const names = tableNames(root)
  if (names.length > 0 && !names.includes(meta.name)) throw new StoreError({ code: 'NOT_A_DATA_DIRECTORY', path })
  const tables = new Map([[meta.name, root.openDB(meta.name, binary)!]])
  const owner = options.owner ?? createOwner()
  // One transaction: one for each table would write to disk as often.
  withFaults(path, () =>
    transact(root, () => {
      if (!options.owner) takeOver(tables.get(meta.name)!, path, owner)
      // Who holds the folder looks for an owner after that, and this one for a holder after it became the owner: one of them sees the other.
      checkNotHeld(path)
      openTables(root, tables, options.tables ?? allTables)
    }),
  )
  return createStore({ root, tables }, path, owner, options)
}

/** LMDB keeps its tables' names, each followed by a zero byte, as keys of a table without name. */
function tableNames(root: LmdbRoot): string[] {
  return [...root.getRange({})].map(({ key }) => textCodec.decode(key.subarray(0, -1)))
}

function openTables(root: LmdbRoot, tables: Map<string, LmdbTable>, named: readonly AnyTable[]): void {
  for (const { name } of named) {
    if (tables.has(name)) continue
    const opened = root.openDB(name, binary)
    if (opened !== undefined) tables.set(name, opened)
  }
}

/** Refuses a directory whose bytes mean something else. */
function checkSchema(table: LmdbTable, path: string): void {
  const have = peekTable(table, meta.key.encode(schemaKey))?.[0]
  if (have === undefined) return
  if (have > schemaVersion) throw new StoreError({ code: 'NEWER_SCHEMA', path, have, known: schemaVersion })
  if (have < oldestSchema) throw new StoreError({ code: 'OLDER_SCHEMA', path, have, known: schemaVersion })
}

// The record is read and written in one transaction, so that of two processes that find a dead owner one loses.
function takeOver(table: LmdbTable, path: string, owner: Owner): void {
  checkSchema(table, path)
  table.put(meta.key.encode(schemaKey), Uint8Array.of(schemaVersion))
  const before = ownerIn(table)
  if (before !== undefined && isRunning(before)) throw new StoreError({ code: 'LOCKED', path, pid: before.pid })
  table.put(meta.key.encode(ownerKey), encodeOwner(owner))
}

function ownerIn(table: LmdbTable): Owner | undefined {
  const stored = peekTable(table, meta.key.encode(ownerKey))
  return stored && decodeOwner(stored)
}

/**
 * How much more may be resident while two threads have the file open, in units of the limit. To let go both have to bring everything
 * to disk at the same moment; done as often as by one alone, that took a quarter of the time.
 */
const sharedFactor = 8

const oneOther = () => new TypeError('a store has one owner, and one other thread that writes')
const nested = () => new TypeError('write transactions do not nest')

/** One LMDB environment: its tables, the views that are open, layers that wait to be written, and who may write. */
class LmdbStore implements Store {
  readonly path: string
  readonly owner: Owner | undefined
  private readonly maxMapped: number
  private readonly named: readonly AnyTable[]
  private readonly principal: StoreOptions['owner']
  /** Another thread that writes: one that writes behind, or a borrower. */
  private other: Borrower | undefined
  /** Undefined after it was unmapped; the next user maps the file again. */
  private mapping: Mapping | undefined
  private writing = false
  /** Whether a transaction is being made that is written behind. */
  private making = false
  private snapshots = 0
  /** Open snapshots of those who let go of them when they are asked. */
  private readonly keepers = new Set<{ readonly letGo: () => void }>()
  /** Whether something was written since memory was looked at. */
  private changed = false
  /** Asks the thread that shares the file to close it. */
  private askSharer: (() => void) | undefined
  private limit: number
  private readonly ownerBytes = meta.key.encode(ownerKey)
  private readonly txn: Transaction
  private readonly readers: WeakSet<Reader>
  readonly latest: Store['latest']

  constructor(
    first: Mapping,
    path: string,
    owner: Owner | undefined,
    { maxMapped = Number.POSITIVE_INFINITY, tables: named = allTables, owner: principal }: StoreOptions,
  ) {
    this.owner = owner
    this.path = path
    this.maxMapped = maxMapped
    this.named = named
    this.principal = principal
    this.mapping = first
    this.limit = maxMapped
    this.txn = {
      ...createReader(this.tableOf, undefined),
      put: (table, key, value) => putTable(this.tableOf(table), table.key.encode(key), table.value.encode(value)),
      append: (table, key, value) =>
        putTable(this.tableOf(table), table.key.encode(key), table.value.encode(value), { append: true }),
      remove: (table, key) => removeFrom(this.tableOf(table), table.key.encode(key)),
    }
    this.readers = new WeakSet<Reader>([this.txn])
    this.latest = this.txn
  }

  private mapped(): Mapping {
    this.mapping ??= withFaults(this.path, () => openMapping(this.path, this.named))
    return this.mapping
  }

  private isTooLarge(): boolean {
    const most = this.other ? this.limit + sharedFactor * this.maxMapped : this.limit
    return most !== Number.POSITIVE_INFINITY && mappedBytes() > most
  }

  /** Two who keep snapshots, each for as long as a block is the newest, might never let go at the same time by themselves. */
  private readonly askKeepers = (): void => {
    for (const { letGo } of [...this.keepers]) letGo()
  }

  /**
   * Lets the mapping go where more of the file has become resident than need be: the system maps many pages around each
   * one that is read, and takes none back while memory is free.
   */
  private shrink(): void {
    if (!this.mapping || !this.changed || this.writing || this.snapshots > 0) return
    this.changed = false
    if (!this.isTooLarge()) return
    if (this.askSharer) this.askSharer()
    else this.letGo()
    // What is left belongs to others: to do this each time would not make it less.
    this.limit = Math.max(this.maxMapped, mappedBytes() + this.maxMapped / 2)
  }

  readonly rest = (): void => {
    this.askKeepers()
    if (!this.writing && this.snapshots === 0) this.letGo()
  }

  readonly letGo = (): void => {
    if (!this.mapping) return
    this.other?.hold(true)
    closeNow(this.mapping.root)
    this.mapping = undefined
    this.other?.release()
  }

  // A process that was taken for dead (another pid namespace, say) must not write over its successor.
  private checkOwner(): void {
    const now = ownerIn(this.tableOf(meta))
    if (this.owner === undefined || now?.token !== this.owner.token)
      throw new StoreError({ code: 'LOCKED', path: this.path, pid: now?.pid ?? 0 })
  }

  private readonly tableOf = (table: AnyTable): LmdbTable => {
    const found = this.mapped().tables.get(table.name)
    if (found === undefined) throw new TypeError(`table ${table.name} is not in this store`)
    return found
  }

  readonly openSnapshot = (letGo?: () => void): Snapshot => {
    const { root } = this.mapped()
    // LMDB's package takes a new look only after a write of its own, or in another turn.
    if (this.owner === undefined || this.other) root.resetReadTxn()
    const lmdbTxn: LmdbTxn = root.useReadTransaction()
    let open = true
    this.snapshots++
    const keeper = letGo && { letGo }
    if (keeper) this.keepers.add(keeper)
    // Inside a write transaction LMDB would answer from that instead.
    const checked = (table: AnyTable): LmdbTable => {
      if (!open || this.writing)
        throw new TypeError(open ? 'a snapshot was read inside a write' : 'a snapshot was read after close')
      return this.tableOf(table)
    }
    const close = (): void => {
      if (!open) return
      open = false
      lmdbTxn.done()
      this.snapshots--
      if (keeper) this.keepers.delete(keeper)
      this.shrink()
    }
    const snapshot = { ...createReader(checked, lmdbTxn), close }
    this.readers.add(snapshot)
    return snapshot
  }

  /** Does something that sees all that another thread has written; that thread waits meanwhile. */
  private withOtherHeld<T>(action: () => T): T {
    if (!this.other) return action()
    const held = this.other
    held.hold(false)
    try {
      this.mapped().root.resetReadTxn()
      return action()
    } finally {
      held.release()
    }
  }

  private readonly afterWrite = (): void => {
    this.changed = true
    // In a turn of its own nobody is in the middle of reading.
    if (this.keepers.size > 0 && this.isTooLarge()) setImmediate(this.askKeepers)
    this.shrink()
  }

  readonly openBehind = async (): Promise<WriteBehind> => {
    if (this.owner === undefined || this.other) throw oneOther()
    const opened = await openWriteBehind({ path: this.path, owner: this.owner, openSnapshot: this.openSnapshot })
    this.readers.add(opened.txn)
    this.other = {
      hold: (letsGo) => (letsGo ? opened.letGo() : opened.flush()),
      release() {},
    }
    return {
      ...opened,
      write: (action) => {
        if (this.writing || this.making) throw nested()
        this.making = true
        try {
          return opened.write(action)
        } finally {
          this.making = false
          this.afterWrite()
        }
      },
      close: async () => {
        try {
          await opened.close()
        } finally {
          this.endOther()
        }
      },
    }
  }

  private readonly endOther = (): void => {
    this.other = undefined
    this.mapped().root.resetReadTxn()
  }

  readonly lend = (borrower: Borrower): Loan => {
    if (this.owner === undefined || this.other) throw oneOther()
    this.other = borrower
    return { written: this.afterWrite, end: this.endOther }
  }

  readonly owns: Store['owns'] = (reader) => this.readers.has(reader)

  readonly read: Store['read'] = (ask) => useAndClose(this.openSnapshot(), ask)

  readonly write: Store['write'] = (action) => {
    if (this.writing || this.making) throw nested()
    try {
      return this.withOtherHeld(() => {
        this.writing = true
        try {
          return withFaults(this.path, () =>
            transact(this.mapped().root, () => {
              this.checkOwner()
              return action(this.txn)
            }),
          )
        } finally {
          this.writing = false
        }
      })
    } finally {
      this.afterWrite()
    }
  }

  readonly flush: Store['flush'] = () => this.withOtherHeld(() => {})

  readonly share: Store['share'] = (ask) => {
    this.askSharer = ask
    return () => {
      this.askSharer = undefined
    }
  }

  readonly forgetDeadReaders: Store['forgetDeadReaders'] = () => void this.mapped().root.readerCheck()

  readonly close: Store['close'] = async () => {
    const metaTable = this.tableOf(meta)
    if (this.owner !== undefined && !this.principal && ownerIn(metaTable)?.token === this.owner.token)
      transact(this.mapped().root, () => void metaTable.remove(this.ownerBytes))
    await this.mapped().root.close()
  }
}

function createStore(first: Mapping, path: string, owner: Owner | undefined, options: StoreOptions): Store {
  return new LmdbStore(first, path, owner, options)
}
