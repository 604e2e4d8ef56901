import { headerLength, type PageFile, pageFlags, readNumber } from './pageFile.ts'
import { nodeFlags, nodesOf } from './pageRows.ts'
import type { PageVisitor } from './pageVisitor.ts'

/** Looks at each page by itself. */
export function scanStray(opened: PageFile, visitor: PageVisitor, isKnown: (page: number) => boolean): void {
  for (let page = 2; page < opened.pages; page++) {
    if (isKnown(page)) continue
    const bytes = opened.read(page)
    if (!bytes || readNumber(bytes, 0) !== page || bytes.readUInt16LE(18) !== pageFlags.leaf) continue
    // Large values are read into the same buffer.
    for (const { key, flags, size, data } of nodesOf(Buffer.from(bytes), true, opened.pageSize) ?? []) {
      if (!(flags & nodeFlags.big)) visitor.onStray!(plain(key), plain(data))
      else {
        const value = strayValue(opened, readNumber(data, 0), size)
        if (value) visitor.onStray!(plain(key), plain(value))
      }
    }
  }
}

function strayValue(opened: PageFile, page: number, size: number): Buffer | undefined {
  const count = Math.floor((headerLength - 1 + size) / opened.pageSize) + 1
  if (!(page >= 2 && page + count <= opened.pages)) return undefined
  const bytes = opened.read(page, count)
  const fits = bytes && readNumber(bytes, 0) === page && bytes.readUInt32LE(20) === count
  return fits ? bytes.subarray(headerLength, headerLength + size) : undefined
}

/** The same bytes, of which `slice` makes a copy: that of a Buffer is a view into a page that is overwritten. */
export function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
