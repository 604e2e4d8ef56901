import {
  headerLength,
  type MetaPage,
  openPageFile,
  type PageFile,
  pageFlags,
  readNumber,
  readTableRecord,
  type TableRecord,
  tableLength,
} from './pageFile.ts'
import { type Node, nodeFlags, nodesOf } from './pageRows.ts'
import type { PageReport, PageVisitor } from './pageVisitor.ts'
import { plain, scanStray } from './strayRows.ts'

/** More would add nothing. */
const maxFindings = 20
/** Beyond this, a number of pages is damaged. */
const maxPages = 2 ** 32

interface Counts {
  branch: number
  leaf: number
  overflow: number
  entries: number
}

type OnLeaf = (key: Buffer, value: Buffer, isTable: boolean) => void

interface PageWalk {
  walk(): PageReport
}

/** One walk: which pages were seen, what was found, and how many rows each table has. */
class PageChecker implements PageWalk {
  private readonly opened: PageFile
  private readonly meta: MetaPage
  private readonly visitor: PageVisitor
  private readonly findings: string[] = []
  private readonly entries = new Map<string, number>()
  private readonly damaged = new Set<string>()
  // Free pages at the end need not be in the file.
  private readonly limit: number
  private readonly seen: Uint8Array<ArrayBuffer>
  private done = 0

  constructor(opened: PageFile, meta: MetaPage, visitor: PageVisitor) {
    this.visitor = visitor
    this.meta = meta
    this.opened = opened
    this.limit = meta.lastPage < maxPages ? meta.lastPage + 1 : 0
    this.seen = new Uint8Array(this.limit)
  }

  private readonly report = (text: string): void => {
    this.damaged.add(text.split(':')[0]!)
    if (this.findings.length < maxFindings && !this.findings.includes(text)) this.findings.push(text)
  }

  /** Notes that a page is used; false if it cannot be. */
  private take(page: number, where: string): boolean {
    if (!(page >= 2 && page < this.limit)) {
      this.report(`${where}: page ${page} is outside of the file`)
      return false
    }
    if (this.seen[page]) {
      this.report(`${where}: page ${page} is used twice`)
      return false
    }
    this.seen[page] = 1
    if (++this.done % 4096 === 0) this.visitor.onProgress?.(this.done, this.limit)
    return true
  }

  private readPage(page: number, where: string, flags: number): Buffer | undefined {
    const bytes = this.opened.read(page)
    const fits = bytes && readNumber(bytes, 0) === page && bytes.readUInt16LE(18) === flags
    if (fits && readNumber(bytes, 8) <= this.meta.transaction) return bytes
    this.report(`${where}: page ${page} has a damaged header`)
    return undefined
  }

  /** A value that has pages of its own. */
  private readBig({ size, data }: Node, where: string, counts: Counts): Buffer | undefined {
    const [page, count] = [readNumber(data, 0), readNumber(data, 16)]
    const want = Math.floor((headerLength - 1 + size) / this.opened.pageSize) + 1
    if (count !== want || readNumber(data, 8) > this.meta.transaction || !(page + count <= this.limit)) {
      this.report(`${where}: a large value has a damaged place`)
      return undefined
    }
    for (let i = 0; i < count; i++) if (!this.take(page + i, where)) return undefined
    counts.overflow += count
    if (!this.readPage(page, where, pageFlags.overflow)) return undefined
    const bytes = this.opened.read(page, count)
    if (bytes?.readUInt32LE(20) === count) return bytes.subarray(headerLength, headerLength + size)
    this.report(`${where}: page ${page} has a damaged header`)
    return undefined
  }

  private walkPage(
    page: number,
    depth: number,
    bounds: { readonly from: Buffer | undefined; readonly to: Buffer | undefined },
    tree: { readonly name: string; readonly counts: Counts; readonly onLeaf: OnLeaf; readonly ordered: boolean },
  ): void {
    const { name, counts } = tree
    const isLeaf = depth === 1
    if (!this.take(page, name)) return
    const bytes = this.readPage(page, name, isLeaf ? pageFlags.leaf : pageFlags.branch)
    if (!bytes) return
    // Pages below are read into the same buffer.
    const nodes = nodesOf(isLeaf ? bytes : Buffer.from(bytes), isLeaf, this.opened.pageSize)
    if (!nodes) {
      this.report(`${name}: page ${page} is damaged`)
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
      if (tree.ordered && !(inOrder && inBounds)) this.report(`${name}: keys of page ${page} are not in order`)
      if (!isLeaf) {
        const from = isFirstBranch ? bounds.from : node.key
        this.walkPage(node.child, depth - 1, { from, to: held[i + 1]?.key ?? bounds.to }, tree)
        return
      }
      counts.entries++
      const isBig = (node.flags & nodeFlags.big) !== 0
      if ((node.flags & ~(nodeFlags.big | nodeFlags.table)) !== 0)
        this.report(`${name}: a row of page ${page} is damaged`)
      const value = isBig ? this.readBig(node, name, counts) : node.data
      if (value) tree.onLeaf(node.key, value, (node.flags & nodeFlags.table) !== 0)
    })
  }

  private walkTree(name: string, record: TableRecord, onLeaf: OnLeaf, ordered = true): void {
    const counts: Counts = { branch: 0, leaf: 0, overflow: 0, entries: 0 }
    if (record.root !== undefined) {
      if (record.depth < 1 || record.depth > 32) this.report(`${name}: the table has a damaged record`)
      else
        this.walkPage(record.root, record.depth, { from: undefined, to: undefined }, { name, counts, onLeaf, ordered })
    }
    const fits =
      counts.branch === record.branchPages &&
      counts.leaf === record.leafPages &&
      counts.overflow === record.overflowPages &&
      counts.entries === record.entries
    if (!fits) this.report(`${name}: the table has ${counts.entries} rows and should have ${record.entries}`)
    this.entries.set(name, counts.entries)
  }

  private walkMain(): void {
    const tables: { readonly name: string; readonly record: TableRecord }[] = []
    this.walkTree('list of tables', this.meta.main, (key, value, isTable) => {
      if (!isTable || value.length !== tableLength) this.report('list of tables: an entry is damaged')
      else tables.push({ name: key.subarray(0, -1).toString(), record: readTableRecord(value) })
    })
    this.entries.delete('list of tables')
    for (const { name, record } of tables)
      if (this.visitor.top || (this.visitor.only !== undefined && this.visitor.only !== name))
        this.checkRoot(name, record)
      else this.walkTree(name, record, (key, value) => this.visitor.onRow?.(name, plain(key), plain(value)))
  }

  private checkRoot(name: string, { root, depth }: TableRecord): void {
    if (root === undefined || !this.take(root, name)) return
    const bytes = this.readPage(root, name, depth === 1 ? pageFlags.leaf : pageFlags.branch)
    if (bytes && !nodesOf(bytes, depth === 1, this.opened.pageSize)) this.report(`${name}: page ${root} is damaged`)
  }

  private walkFree(): void {
    const lists: Buffer[] = []
    // Their keys are numbers of the machine's byte order.
    this.walkTree('free pages', this.meta.free, (_, value) => lists.push(Buffer.from(value)), false)
    this.entries.delete('free pages')
    for (const list of lists) for (const page of freePagesIn(list, this.report)) this.take(page, 'free pages')
  }

  private checkMetas(): void {
    for (const { page, transaction } of this.opened.metas)
      if (transaction > 1 && transaction % 2 !== page) this.report('the first pages of the file are damaged')
    const [, other] = this.opened.metas
    if (!other || (other.transaction > 0 && this.meta.transaction - other.transaction !== 1))
      this.report('one of the first two pages of the file is damaged')
    if (this.limit === 0) this.report('the first pages of the file are damaged')
  }

  readonly walk: PageWalk['walk'] = () => {
    this.checkMetas()
    this.walkMain()
    if (this.visitor.top || this.visitor.only !== undefined)
      return {
        findings: this.findings,
        transaction: this.meta.transaction,
        entries: this.entries,
        damaged: this.damaged,
      }
    if (this.visitor.onStray) scanStray(this.opened, this.visitor, (page) => this.seen[page] === 1)
    this.walkFree()
    const missing = this.seen.subarray(2).filter((flag) => flag === 0).length
    if (this.findings.length === 0 && missing > 0) this.report(`free pages: ${missing} pages are neither used nor free`)
    return { findings: this.findings, transaction: this.meta.transaction, entries: this.entries, damaged: this.damaged }
  }
}

function createPageWalk(opened: PageFile, meta: MetaPage, visitor: PageVisitor): PageWalk {
  return new PageChecker(opened, meta, visitor)
}

/**
 * Walks over every page of a database file, since LMDB crashes the process where a page is damaged, and checks what it takes for granted: that
 * pages are where they should be, that keys are in order, that nothing overlaps, and that no page is used twice or both used and free.
 */
export function walkPages(file: string, visitor: PageVisitor = {}): PageReport {
  const noMetas = 'the first pages of the file are damaged'
  const nothing = {
    findings: [noMetas],
    transaction: 0,
    entries: new Map<string, number>(),
    damaged: new Set([noMetas]),
  }
  const opened = openPageFile(file, visitor.onStray !== undefined)
  if (!opened) return nothing
  try {
    const [meta] = opened.metas
    if (meta) return createPageWalk(opened, meta, visitor).walk()
    scanStray(opened, visitor, () => false)
    return nothing
  } finally {
    opened.close()
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

/** The order of LMDB: by bytes, then the shorter first. */
function compare(a: Buffer, b: Buffer): number {
  return Buffer.compare(a, b)
}
