import { useAndClose } from '../primitives/useAndClose.ts'
import { StoreError } from './fault.ts'
import { closeNow, type LmdbTable, type LmdbTxn, putTable, removeFrom, transact } from './lmdb.ts'
import { mappedBytes } from './mappedBytes.ts'
import { type Mapping, openMapping } from './mapping.ts'
import type { Owner } from './owner.ts'
import { createReader } from './reader.ts'
import { allTables, meta } from './schema.ts'
import type { Store, StoreDelegate, StoreDelegation, StoreOptions } from './store.ts'
import { ownerIn, ownerKey } from './storedOwner.ts'
import type { AnyTable, Reader, Snapshot, Transaction } from './table.ts'
import { withFaults } from './withFaults.ts'
import { openWriteBehind, type WriteBehind } from './writeBehind.ts'

/**
 * How much more may be resident while two threads have the file open, in units of the limit. To unmap it both have to bring everything
 * to disk at the same moment; done as often as by one alone, that took a quarter of the time.
 */
const sharedFactor = 8

const oneOther = () => new TypeError('a store has one owner, and one other thread that writes')

const nested = () => new TypeError('write transactions do not nest')

/**
 * One LMDB environment: its tables, the views that are open, layers that wait to be written, and who may write. All reads and writes of a
 * node come through here, so that two promises can be kept in one place: there is one order of transactions, no matter which thread writes, and
 * the file does not fill the memory of the machine for good (it is unmapped where too much of it has become resident).
 */
class LmdbStore implements Store {
  readonly path: string
  readonly owner: Owner | undefined
  private readonly maxMapped: number
  private readonly named: readonly AnyTable[]
  private readonly principal: StoreOptions['owner']
  /** Another thread that writes: one that writes behind, or a delegate. */
  private other: StoreDelegate | undefined
  /** Undefined after it was unmapped; the next user maps the file again. */
  private mapping: Mapping | undefined
  private writing = false
  /** Whether a transaction is being made that is written behind. */
  private making = false
  private snapshots = 0
  /** Open snapshots of those who close them when they are asked. */
  private readonly keepers = new Set<{ readonly onUnmap: () => void }>()
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

  /** Two who keep snapshots, each for as long as a block is the newest, might never close theirs at the same time by themselves. */
  private readonly askKeepers = (): void => {
    for (const { onUnmap } of [...this.keepers]) onUnmap()
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
    else this.unmap()
    // What is left belongs to others: to do this each time would not make it less.
    this.limit = Math.max(this.maxMapped, mappedBytes() + this.maxMapped / 2)
  }

  readonly rest = (): void => {
    this.askKeepers()
    if (!this.writing && this.snapshots === 0) this.unmap()
  }

  readonly unmap = (): void => {
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

  readonly openSnapshot = (onUnmap?: () => void): Snapshot => {
    const { root } = this.mapped()
    // LMDB's package takes a new look only after a write of its own, or in another turn.
    if (this.owner === undefined || this.other) root.resetReadTxn()
    const lmdbTxn: LmdbTxn = root.useReadTransaction()
    let open = true
    this.snapshots++
    const keeper = onUnmap && { onUnmap }
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
      hold: (unmaps) => (unmaps ? opened.unmap() : opened.flush()),
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

  readonly delegateTo = (delegate: StoreDelegate): StoreDelegation => {
    if (this.owner === undefined || this.other) throw oneOther()
    this.other = delegate
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

export function createStore(first: Mapping, path: string, owner: Owner | undefined, options: StoreOptions): Store {
  return new LmdbStore(first, path, owner, options)
}
