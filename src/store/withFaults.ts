import { statfsSync } from 'node:fs'
import { StoreError } from './fault.ts'

/** Less than this is not enough to go on with. */
const minFreeBytes = 2 ** 20

const fullErrors = /MDB_MAP_FULL|ENOSPC|EFBIG|EDQUOT|No space left|File too large|quota exceeded/i

/** Runs what may write to `path`; what LMDB and the system say about the disk becomes a fault. */
export function withFaults<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (fullErrors.test(text)) throw new StoreError({ code: 'DISK_FULL', path }, error)
    // LMDB says so too when only a part of a write found room.
    if (/Input\/output error/.test(text))
      throw new StoreError({ code: hasRoom(path) ? 'DISK_FAILED' : 'DISK_FULL', path }, error)
    throw error
  }
}

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= minFreeBytes
}
