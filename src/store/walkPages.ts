import {
  headerLength,
  openPageFile,
  pageFlags,
  readNumber,
  readTableRecord,
  type TableRecord,
  tableLength,
} from './pageFile.ts'

/** What a walk over all pages is told. */
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

/** More would not tell more. */
const maxFindings = 20
/** Beyond this, a number of pages is damaged. */
const maxPages = 2 ** 32
const nodeHeader = 8
const nodeFlags = { big: 1, table: 2 } as const
/** Length of what a row has instead of a value that lies in pages of its own. */
const bigLength = 24

interface Node {
  readonly key: Buffer
  readonly flags: number
  readonly size: number
  /** Page of the branch below. */
  readonly child: number
  readonly data: Buffer
  readonly start: number
  readonly length: number
}

interface Counts {
  branch: number
  leaf: number
  overflow: number
  entries: number
}

/**
 * Walks over every page of a database file and checks what LMDB takes for granted: that pages are where they should be, that
 * keys are in order, that nothing overlaps, and that no page is used twice or both used and free.
 */
export function walkPages(file: string, visitor: PageVisitor = {}): PageReport {
  const findings: string[] = []
  const entries = new Map<string, number>()
  const damaged = new Set<string>()
  const opened = openPageFile(file, visitor.onStray !== undefined)
  const noMetas = 'the first pages of the file are damaged'
  if (!opened) return { findings: [noMetas], transaction: 0, entries, damaged: new Set([noMetas]) }
  const { pageSize, metas } = opened
  if (metas.length === 0) {
    scanStray(() => false)
    opened.close()
    return { findings: [noMetas], transaction: 0, entries, damaged: new Set([noMetas]) }
  }
  const meta = metas[0]!
  // Free pages at the end need not be in the file.
  const limit = meta.lastPage < maxPages ? meta.lastPage + 1 : 0
  const seen = new Uint8Array(limit)
  let done = 0

  const report = (text: string): void => {
    damaged.add(text.split(':')[0]!)
    if (findings.length < maxFindings && !findings.includes(text)) findings.push(text)
  }

  /** Notes that a page is used; false if it cannot be. */
  function take(page: number, where: string): boolean {
    if (!(page >= 2 && page < limit)) {
      report(`${where}: page ${page} is outside of the file`)
      return false
    }
    if (seen[page]) {
      report(`${where}: page ${page} is used twice`)
      return false
    }
    seen[page] = 1
    if (++done % 4096 === 0) visitor.onProgress?.(done, limit)
    return true
  }

  function readPage(page: number, where: string, flags: number): Buffer | undefined {
    const bytes = opened!.read(page)
    const fits = bytes && readNumber(bytes, 0) === page && bytes.readUInt16LE(18) === flags
    if (fits && readNumber(bytes, 8) <= meta.transaction) return bytes
    report(`${where}: page ${page} has a damaged header`)
    return undefined
  }

  /** The rows of a page; undefined if they do not fill it exactly. */
  function nodesOf(bytes: Buffer, isLeaf: boolean): Node[] | undefined {
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    const body = pageSize - headerLength
    if (lower % 2 !== 0 || lower === 0 || lower > upper || upper > body) return undefined
    const nodes: Node[] = []
    for (let at = headerLength; at < headerLength + lower; at += 2) {
      const start = headerLength + bytes.readUInt16LE(at)
      if (start < headerLength + upper || start + nodeHeader > pageSize) return undefined
      const flags = bytes.readUInt16LE(start + 4)
      const keyLength = bytes.readUInt16LE(start + 6)
      const size = bytes.readUInt32LE(start)
      const dataLength = isLeaf ? (flags & nodeFlags.big ? bigLength : size) : 0
      const length = nodeHeader + keyLength + dataLength
      if (start + length > pageSize) return undefined
      const key = bytes.subarray(start + nodeHeader, start + nodeHeader + keyLength)
      const data = bytes.subarray(start + nodeHeader + keyLength, start + length)
      nodes.push({ key, flags, size, child: size + flags * 2 ** 32, data, start, length: length + (length % 2) })
    }
    let end = headerLength + upper
    for (const { start, length } of [...nodes].sort((a, b) => a.start - b.start)) {
      if (start !== end) return undefined
      end += length
    }
    return end === pageSize ? nodes : undefined
  }

  /** A value that has pages of its own. */
  function readBig({ size, data }: Node, where: string, counts: Counts): Buffer | undefined {
    const [page, count] = [readNumber(data, 0), readNumber(data, 16)]
    const want = Math.floor((headerLength - 1 + size) / pageSize) + 1
    if (count !== want || readNumber(data, 8) > meta.transaction || !(page + count <= limit)) {
      report(`${where}: a large value has a damaged place`)
      return undefined
    }
    for (let i = 0; i < count; i++) if (!take(page + i, where)) return undefined
    counts.overflow += count
    if (!readPage(page, where, pageFlags.overflow)) return undefined
    const bytes = opened!.read(page, count)
    if (bytes?.readUInt32LE(20) === count) return bytes.subarray(headerLength, headerLength + size)
    report(`${where}: page ${page} has a damaged header`)
    return undefined
  }

  type OnLeaf = (key: Buffer, value: Buffer, isTable: boolean) => void

  function walkPage(
    page: number,
    depth: number,
    bounds: { readonly from: Buffer | undefined; readonly to: Buffer | undefined },
    tree: { readonly name: string; readonly counts: Counts; readonly onLeaf: OnLeaf; readonly ordered: boolean },
  ): void {
    const { name, counts } = tree
    const isLeaf = depth === 1
    if (!take(page, name)) return
    const bytes = readPage(page, name, isLeaf ? pageFlags.leaf : pageFlags.branch)
    if (!bytes) return
    // Pages below are read into the same buffer.
    const nodes = nodesOf(isLeaf ? bytes : Buffer.from(bytes), isLeaf)
    if (!nodes) {
      report(`${name}: page ${page} is damaged`)
      return
    }
    counts[isLeaf ? 'leaf' : 'branch']++
    const held = isLeaf
      ? nodes.map((node) => ({ ...node, key: Buffer.from(node.key), data: Buffer.from(node.data) }))
      : nodes
    held.forEach((node, i) => {
      const before = i === 0 ? bounds.from : held[i - 1]!.key
      const isFirstBranch = !isLeaf && i === 0
      // The first key of a branch stands for everything below the second.
      const inOrder = isFirstBranch || before === undefined || compare(before, node.key) < (i === 0 ? 1 : 0)
      const inBounds = isFirstBranch || bounds.to === undefined || compare(node.key, bounds.to) < 0
      if (tree.ordered && !(inOrder && inBounds)) report(`${name}: keys of page ${page} are not in order`)
      if (!isLeaf) {
        const from = isFirstBranch ? bounds.from : node.key
        walkPage(node.child, depth - 1, { from, to: held[i + 1]?.key ?? bounds.to }, tree)
        return
      }
      counts.entries++
      const isBig = (node.flags & nodeFlags.big) !== 0
      if ((node.flags & ~(nodeFlags.big | nodeFlags.table)) !== 0) report(`${name}: a row of page ${page} is damaged`)
      const value = isBig ? readBig(node, name, counts) : node.data
      if (value) tree.onLeaf(node.key, value, (node.flags & nodeFlags.table) !== 0)
    })
  }

  function walkTree(name: string, record: TableRecord, onLeaf: OnLeaf, ordered = true): void {
    const counts: Counts = { branch: 0, leaf: 0, overflow: 0, entries: 0 }
    if (record.root !== undefined) {
      if (record.depth < 1 || record.depth > 32) report(`${name}: the table has a damaged record`)
      else walkPage(record.root, record.depth, { from: undefined, to: undefined }, { name, counts, onLeaf, ordered })
    }
    const fits =
      counts.branch === record.branchPages &&
      counts.leaf === record.leafPages &&
      counts.overflow === record.overflowPages &&
      counts.entries === record.entries
    if (!fits) report(`${name}: the table has ${counts.entries} rows and should have ${record.entries}`)
    entries.set(name, counts.entries)
  }

  function walkMain(): void {
    const tables: { readonly name: string; readonly record: TableRecord }[] = []
    walkTree('list of tables', meta.main, (key, value, isTable) => {
      if (!isTable || value.length !== tableLength) report('list of tables: an entry is damaged')
      else tables.push({ name: key.subarray(0, -1).toString(), record: readTableRecord(value) })
    })
    entries.delete('list of tables')
    for (const { name, record } of tables)
      if (visitor.top || (visitor.only !== undefined && visitor.only !== name)) checkRoot(name, record)
      else walkTree(name, record, (key, value) => visitor.onRow?.(name, plain(key), plain(value)))
  }

  function checkRoot(name: string, { root, depth }: TableRecord): void {
    if (root === undefined || !take(root, name)) return
    const bytes = readPage(root, name, depth === 1 ? pageFlags.leaf : pageFlags.branch)
    if (bytes && !nodesOf(bytes, depth === 1)) report(`${name}: page ${root} is damaged`)
  }

  function walkFree(): void {
    const lists: Buffer[] = []
    // Their keys are numbers of the machine's byte order.
    walkTree('free pages', meta.free, (_, value) => lists.push(Buffer.from(value)), false)
    entries.delete('free pages')
    for (const list of lists) for (const page of freePagesIn(list, report)) take(page, 'free pages')
  }

  try {
    checkMetas()
    walkMain()
    if (visitor.top || visitor.only !== undefined) return { findings, transaction: meta.transaction, entries, damaged }
    if (visitor.onStray) scanStray((page) => seen[page] === 1)
    walkFree()
    const missing = seen.subarray(2).filter((flag) => flag === 0).length
    if (findings.length === 0 && missing > 0) report(`free pages: ${missing} pages are neither used nor free`)
    return { findings, transaction: meta.transaction, entries, damaged }
  } finally {
    opened.close()
  }

  /** Looks at each page by itself. */
  function scanStray(isKnown: (page: number) => boolean): void {
    for (let page = 2; page < opened!.pages; page++) {
      if (isKnown(page)) continue
      const bytes = opened!.read(page)
      if (!bytes || readNumber(bytes, 0) !== page || bytes.readUInt16LE(18) !== pageFlags.leaf) continue
      // Large values are read into the same buffer.
      for (const { key, flags, size, data } of nodesOf(Buffer.from(bytes), true) ?? []) {
        if (!(flags & nodeFlags.big)) visitor.onStray!(plain(key), plain(data))
        else {
          const value = strayValue(readNumber(data, 0), size)
          if (value) visitor.onStray!(plain(key), plain(value))
        }
      }
    }
  }

  function strayValue(page: number, size: number): Buffer | undefined {
    const count = Math.floor((headerLength - 1 + size) / pageSize) + 1
    if (!(page >= 2 && page + count <= opened!.pages)) return undefined
    const bytes = opened!.read(page, count)
    const fits = bytes && readNumber(bytes, 0) === page && bytes.readUInt32LE(20) === count
    return fits ? bytes.subarray(headerLength, headerLength + size) : undefined
  }

  function checkMetas(): void {
    for (const { page, transaction } of metas)
      if (transaction > 1 && transaction % 2 !== page) report('the first pages of the file are damaged')
    const [, other] = metas
    if (!other || (other.transaction > 0 && meta.transaction - other.transaction !== 1))
      report('one of the first two pages of the file is damaged')
    if (limit === 0) report('the first pages of the file are damaged')
  }
}

/** Pages of a list of free ones: a count, then page numbers, each run of pages as its length, negative, and its first page. */
function freePagesIn(list: Buffer, report: (text: string) => void): number[] {
  const pages: number[] = []
  const count = list.length >= 8 ? readNumber(list, 0) : 0
  if (!((count + 1) * 8 <= list.length)) {
    report('free pages: a list is damaged')
    return []
  }
  for (let i = 1; i <= count; i++) {
    const value = list.readBigInt64LE(i * 8)
    if (value >= 0n) {
      if (value > 0n) pages.push(Number(value))
      continue
    }
    const length = Number(-value)
    if (length > 2 ** 40 || i === count) {
      report('free pages: a list is damaged')
      return pages
    }
    const first = Number(list.readBigInt64LE(++i * 8))
    for (let page = 0; page < length && page < 2 ** 31; page++) pages.push(first + page)
  }
  return pages
}

/** The same bytes, of which `slice` makes a copy: that of a Buffer is a view into a page that is overwritten. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The order of LMDB: by bytes, then the shorter first. */
function compare(a: Buffer, b: Buffer): number {
  return Buffer.compare(a, b)
}
