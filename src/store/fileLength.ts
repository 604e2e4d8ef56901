import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where LMDB notes, in one of the first two pages, what was committed last; offsets from its magic number. */
const offsets = { pageSize: 24, lastPage: 120, transaction: 128, end: 136 }

/** Number with which LMDB marks its files, as it lies in the first page of one made on this kind of machine. */
const magic = Buffer.from('dec0efbe', 'hex')

/** The length of an LMDB file, and the length that its last commit asks for. */
export interface FileLength {
  readonly have: number
  readonly want: number
}

/** Measures an LMDB file; undefined if its first page does not say. Both numbers are 0 for an empty file. */
export function measureFile(file: string): FileLength | undefined {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size === 0) return { have: 0, want: 0 }
    const first = Buffer.alloc(4096)
    const length = readSync(descriptor, first, 0, first.length, 0)
    const at = first.subarray(0, 64).indexOf(magic)
    if (at < 0) return undefined
    // Less than a whole page: LMDB always writes two.
    if (length < at + offsets.end) return { have: size, want: 2 * first.length }
    const pageSize = first.readUInt32LE(at + offsets.pageSize)
    const second = Buffer.alloc(offsets.end)
    const secondLength = readSync(descriptor, second, 0, second.length, pageSize + at)
    if (secondLength < second.length) return { have: size, want: 2 * pageSize }
    const metas = [first.subarray(at), second].filter((meta) => meta.subarray(0, magic.length).equals(magic))
    const [newest] = metas.sort((a, b) => (transactionOf(a) > transactionOf(b) ? -1 : 1))
    return { have: size, want: (Number(newest!.readBigUInt64LE(offsets.lastPage)) + 1) * pageSize }
  } finally {
    closeSync(descriptor)
  }
}

function transactionOf(meta: Buffer): bigint {
  return meta.readBigUInt64LE(offsets.transaction)
}

/** The number of the last transaction of a lock file; 0 if there is none. */
export function lastTransaction(lockFile: string): bigint {
  if (!existsSync(lockFile)) return 0n
  const descriptor = openSync(lockFile, 'r')
  try {
    const start = Buffer.alloc(16)
    return readSync(descriptor, start) === start.length && start.subarray(0, magic.length).equals(magic)
      ? start.readBigUInt64LE(8)
      : 0n
  } finally {
    closeSync(descriptor)
  }
}
