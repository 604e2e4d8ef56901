import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// The layout of LMDB's file, version 2, as the package writes it: docs of `MDB_page`, `MDB_node` and `MDB_meta` in its mdb.c.

/** Bytes of a page's header; offsets within a page count from behind it. */
export const headerLength = 24
const magic = 0xbeefc0de
export const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
/** Length of the record of a table. */
export const tableLength = 48

/** Where a table begins and how much it has. */
export interface TableRecord {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Undefined if the table is empty. */
  readonly root: number | undefined
}

/** One of the two pages that say what was committed. */
export interface MetaPage {
  readonly page: 0 | 1
  readonly pageSize: number
  /** The table of free pages. */
  readonly free: TableRecord
  /** The table of tables. */
  readonly main: TableRecord
  readonly lastPage: number
  readonly transaction: number
}

/** A database file that is read page by page, without LMDB, which trusts what it reads and ends the process otherwise. */
export interface PageFile {
  readonly pageSize: number
  /** Pages that the file has. */
  readonly pages: number
  /** The metas that can be read, newest first. */
  readonly metas: readonly MetaPage[]
  /** Reads pages; undefined if the file ends before. The buffer is valid until the next read of one page. */
  read(page: number, count?: number): Buffer | undefined
  close(): void
}

/** Where neither meta page says. */
const usualPageSize = 4096
const none = 0xffff_ffff_ffff_ffffn

/** A number of 8 bytes; too large ones become infinite, and thus out of every range. */
export function readNumber(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value)
}

/** Decodes the record of a table. */
export function readTableRecord(bytes: Buffer): TableRecord {
  const root = bytes.readBigUInt64LE(40)
  return {
    depth: bytes.readUInt16LE(6),
    branchPages: readNumber(bytes, 8),
    leafPages: readNumber(bytes, 16),
    overflowPages: readNumber(bytes, 24),
    entries: readNumber(bytes, 32),
    root: root === none ? undefined : readNumber(bytes, 40),
  }
}

function readMeta(bytes: Buffer, page: 0 | 1): MetaPage | undefined {
  if (bytes.length < headerLength + 136 || bytes.readUInt16LE(18) !== pageFlags.meta) return undefined
  const meta = bytes.subarray(headerLength)
  if (meta.readUInt32LE(0) !== magic || meta.readUInt32LE(4) !== 2) return undefined
  const pageSize = meta.readUInt32LE(24)
  if (pageSize < 512 || pageSize > 0x10000 || (pageSize & (pageSize - 1)) !== 0) return undefined
  return {
    page,
    pageSize,
    free: readTableRecord(meta.subarray(24, 24 + tableLength)),
    main: readTableRecord(meta.subarray(24 + tableLength, 24 + 2 * tableLength)),
    lastPage: readNumber(meta, 120),
    transaction: readNumber(meta, 128),
  }
}

/** Opens a database file; undefined if neither of its metas can be read, unless that is allowed: then there are none. */
export function openPageFile(file: string, withoutMetas = false): PageFile | undefined {
  const descriptor = openSync(file, 'r')
  const { size } = fstatSync(descriptor)
  const start = Buffer.alloc(Math.min(size, 2 * 0x10000))
  readSync(descriptor, start, 0, start.length, 0)
  const first = readMeta(start, 0)
  // Where the first cannot be read, the second says itself where it begins.
  const sizes = first ? [first.pageSize] : [4096, 8192, 16384, 32768, 65536]
  const second = sizes.map((at) => readMeta(start.subarray(at), 1)).find((meta) => meta !== undefined)
  const metas = [first, second].filter((meta) => meta !== undefined)
  if (metas.length === 0 && !withoutMetas) {
    closeSync(descriptor)
    return undefined
  }
  metas.sort((a, b) => b.transaction - a.transaction)
  const pageSize = metas[0]?.pageSize ?? usualPageSize
  const buffer = Buffer.alloc(pageSize)
  return {
    pageSize,
    pages: Math.floor(size / pageSize),
    metas,
    read(page, count = 1) {
      const target = count === 1 ? buffer : Buffer.alloc(count * pageSize)
      return readSync(descriptor, target, 0, target.length, page * pageSize) === target.length ? target : undefined
    },
    close: () => closeSync(descriptor),
  }
}
