import { readFileSync } from 'node:fs'

// A second reading of LMDB's file, of intact ones only and by nothing that the program uses: which pages hold which rows.

const pageSize = 4096
const header = 24

/** A row of an intact file, and the pages that it lies on: that of its key, then those of a large value. */
export interface PlacedRow {
  readonly table: string
  readonly key: Buffer
  readonly value: Buffer
  readonly pages: readonly number[]
}

/** All rows of all tables of an intact file. */
export function placedRows(file: string): PlacedRow[] {
  const bytes = readFileSync(file)
  const metaAt = [0, 1].map((page) => page * pageSize + header)
  const newest =
    bytes.readBigUInt64LE(metaAt[0]! + 128) > bytes.readBigUInt64LE(metaAt[1]! + 128) ? metaAt[0]! : metaAt[1]!
  const found: PlacedRow[] = []
  // The record of the table of tables lies behind that of the free pages.
  for (const { key, value } of rowsBelow(bytes, newest + 72, ''))
    found.push(...rowsBelow(value, 0, key.subarray(0, -1).toString(), bytes))
  return found
}

/** Rows of the table whose record lies in `record`. */
function rowsBelow(record: Buffer, at: number, table: string, file = record): PlacedRow[] {
  const depth = record.readUInt16LE(at + 6)
  const root = record.readBigUInt64LE(at + 40)
  if (root === 0xffff_ffff_ffff_ffffn) return []
  const rows: PlacedRow[] = []
  const visit = (page: number, level: number): void => {
    const base = page * pageSize + header
    for (let slot = 0; slot < file.readUInt16LE(page * pageSize + 20); slot += 2) {
      const node = base + file.readUInt16LE(base + slot)
      const [size, flags, keyLength] = [
        file.readUInt32LE(node),
        file.readUInt16LE(node + 4),
        file.readUInt16LE(node + 6),
      ]
      if (level > 1) {
        visit(size + flags * 2 ** 32, level - 1)
        continue
      }
      const key = file.subarray(node + 8, node + 8 + keyLength)
      const data = node + 8 + keyLength
      if ((flags & 1) === 0) rows.push({ table, key, value: file.subarray(data, data + size), pages: [page] })
      else {
        const first = Number(file.readBigUInt64LE(data))
        const count = Number(file.readBigUInt64LE(data + 16))
        const from = first * pageSize + header
        const pages = [page, ...Array.from({ length: count }, (_, i) => first + i)]
        rows.push({ table, key, value: file.subarray(from, from + size), pages })
      }
    }
  }
  visit(Number(root), depth)
  return rows
}
