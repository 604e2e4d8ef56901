import { statfsSync } from 'node:fs'
import { StoreError } from './fault.ts'

/** With less free space than this the disk counts as full. */
const minFreeBytes = 2 ** 20

const fullErrors = /MDB_MAP_FULL|ENOSPC|EFBIG|EDQUOT|No space left|File too large|quota exceeded/i

/** Runs an action that may write to `path`; errors of the disk become faults. */
export function withFaults<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const text = error instanceof Error ? error.message : ''
    if (fullErrors.test(text)) throw new StoreError({ code: 'DISK_FULL', path }, error)
    // LMDB also reports this when the disk was full in the middle of a write.
    if (/Input\/output error/.test(text))
      throw new StoreError({ code: hasRoom(path) ? 'DISK_FAILED' : 'DISK_FULL', path }, error)
    throw error
  }
}

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= minFreeBytes
}
