import type { Owner } from './owner.ts'
import type { AnyTable, Reader, Snapshot, Transaction } from './table.ts'
import type { WriteBehind } from './writeBehind.ts'

/** Another thread that writes to the store, for its owner. */
export interface StoreDelegate {
  /** Returns when all that it wrote is on disk; it writes nothing more until it is released. With `unmaps` it has closed its file, too. */
  hold(unmaps: boolean): void
  release(): void
}

/** What the owner tells the store of a delegate. */
export interface StoreDelegation {
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
   * A snapshot for those who keep one: they must close it. All others call `read`. `onUnmap` is called, in a turn of its own, when
   * the store has grown in memory: who keeps a snapshot for long closes it then, and opens another one when it is needed.
   */
  openSnapshot(onUnmap?: () => void): Snapshot
  /** Runs `action` in one transaction: on disk when this returns; an exception leaves nothing behind. */
  write<T>(action: (txn: Transaction) => T): T
  /** Starts a thread that writes behind, one at a time, until it is closed. `write` waits for what is on its way. */
  openBehind(): Promise<WriteBehind>
  /** Returns when all that was written behind is on disk; later reads see it. */
  flush(): void
  /** Lets another thread write, which has opened the same directory for this owner. `write` holds it meanwhile. */
  delegateTo(delegate: StoreDelegate): StoreDelegation
  /** Closes the file, and has the thread that writes behind close it, until somebody reads or writes; nothing may be open. */
  unmap(): void
  /** Asks those who keep snapshots to close them, then closes the file until somebody reads or writes, if nothing is open. */
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
