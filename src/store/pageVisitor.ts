/** What a walk over all pages is given. */
export interface PageVisitor {
  /** A row, as it is stored; the bytes are valid during the call. */
  onRow?(table: string, key: Uint8Array, value: Uint8Array): void
  /** Reads only what every start needs: the first pages, the list of tables, and the first page of each table. */
  readonly top?: boolean
  /**
   * Called with the rows of pages to which no sound page leads, tables of which are not known: what a damaged page led to, and what was
   * there before.
   */
  onStray?(key: Uint8Array, value: Uint8Array): void
  /** Reads the rows of this table only, beside what `top` reads. */
  readonly only?: string
  /** Called now and then with the number of pages read so far, and how many there are. */
  onProgress?(done: number, all: number): void
}

/** What a walk over all pages has found. */
export interface PageReport {
  /** What is wrong with the file, in words; empty if nothing is. */
  readonly findings: readonly string[]
  /** Number of the last transaction. */
  readonly transaction: number
  /** Rows by table. */
  readonly entries: ReadonlyMap<string, number>
  /** The tables, and other parts of the file, of which something is wrong. */
  readonly damaged: ReadonlySet<string>
}
