import { open } from 'lmdb'
import { countRow, type Growth, makeLockFile, makeRoom, noGrowth } from './diskRoom.ts'

/** What the store uses of an LMDB read transaction. */
export interface LmdbTxn {
  done(): void
}

/** What the store uses of an LMDB table; the package's own declarations leave some of it out. */
export interface LmdbTable {
  /** A buffer shared by all reads, whose `length` is that of the value. */
  getBinaryFast(key: Uint8Array, options?: { transaction: LmdbTxn }): Uint8Array | undefined
  getRange(options: {
    start?: Uint8Array
    end?: Uint8Array
    reverse?: boolean
    limit?: number
    transaction?: LmdbTxn
  }): Iterable<{ key: Uint8Array; value: Uint8Array }>
  put(key: Uint8Array, value: Uint8Array, options?: { append: true }): unknown
  remove(key: Uint8Array): unknown
}

/** What the store uses of an LMDB environment. */
export interface LmdbRoot extends LmdbTable {
  openDB(name: string, options: { keyEncoding: 'binary'; encoding: 'binary' }): LmdbTable | undefined
  transactionSync(action: () => void): void
  useReadTransaction(): LmdbTxn
  /** Later reads see the newest commit; open transactions stay as they are. */
  resetReadTxn(): void
  /** Ends the read transactions of processes that have ended; returns how many. */
  readerCheck(): number
  close(callback?: () => void): Promise<void>
  /** Writes a snapshot into a folder while others write, without pages that are free. */
  backup(folder: string, compact: boolean): Promise<void>
}

export interface LmdbOptions {
  readonly readOnly: boolean
  readonly mapSize: number
}

export const binary = { keyEncoding: 'binary', encoding: 'binary' } as const

/** Opens or makes an environment in a folder. */
export function openLmdb(path: string, { readOnly, mapSize }: LmdbOptions): LmdbRoot {
  const options = {
    ...binary,
    path,
    readOnly,
    mapSize,
    noSubdir: false,
    maxDbs: 128,
    maxReaders: 1024,
    // A commit is on disk when it returns; the package's default lets the sync follow later.
    overlappingSync: false,
    // The list of free pages is read again by each transaction that needs it. Kept in memory between them, and written
    // back in part, it was once found not to be what had been stored, and the library ends the process then.
    maxFreeSpaceToRetain: 0,
  }
  makeLockFile(path)
  const root = open(options) as unknown as LmdbRoot
  folders.set(root, path)
  return root
}

/** Where environments are. */
const folders = new WeakMap<LmdbRoot, string>()

/** Closes an environment in which nothing is open, at once: only writes of the kind that is not used here could delay it. */
export function closeNow(root: LmdbRoot): void {
  let closed = false
  void root.close(() => {
    closed = true
  })
  if (!closed) throw new Error('LMDB is still at work')
}

/** A value's bytes, valid until the next read. */
export function peekTable(
  table: LmdbTable,
  key: Uint8Array,
  options?: { transaction: LmdbTxn },
): Uint8Array | undefined {
  const shared = table.getBinaryFast(key, options)
  // The shared buffer's own `length` property hides that more bytes follow: only a view of its own is safe to pass on.
  return shared && new Uint8Array(shared.buffer, shared.byteOffset, shared.length)
}

/** What the transaction that is open has written. */
let growth: Growth = noGrowth()

/**
 * Runs `action` in a write transaction that is on disk when this returns; an exception leaves nothing behind. Throws DISK_FULL
 * before LMDB would find that.
 */
export function transact<T>(root: LmdbRoot, action: () => T): T {
  let result: T | undefined
  const outer = growth
  growth = noGrowth()
  try {
    root.transactionSync(() => {
      result = action()
      // LMDB's package would commit only when a promise settles, with whatever else was written until then.
      if (result instanceof Promise) throw new TypeError('a write transaction is synchronous')
      makeRoom(folders.get(root)!, growth)
    })
  } finally {
    growth = outer
  }
  return result as T
}

// LMDB reads a value at its address in memory, and asking the engine for the address of a small array makes it move and
// pin that array: values pass through one buffer whose address is known. `start` and `end` say to the package which part of
// it is meant.
const outgoing = Object.assign(new Uint8Array(1 << 16), { start: 0, end: 0 })

/** Writes inside the open transaction. */
export function putTable(table: LmdbTable, key: Uint8Array, value: Uint8Array, options?: { append: true }): void {
  countRow(growth, key, value.length, options?.append === true)
  if (value.length > outgoing.length) {
    table.put(key, value, options)
    return
  }
  outgoing.set(value, 0)
  outgoing.end = value.length
  table.put(key, outgoing, options)
}

/** Removes a row inside the open transaction. */
export function removeFrom(table: LmdbTable, key: Uint8Array): void {
  countRow(growth, key, 0, false)
  table.remove(key)
}
