import { statfsSync } from 'node:fs'
import { StoreError } from './fault.ts'

/** With less free space than this the disk counts as full. */
const minFreeBytes = 2 ** 20

const fullErrors = /MDB_MAP_FULL|ENOSPC|EFBIG|EDQUOT|No space left|File too large|quota exceeded/i

/**
 * Runs an action that may write to `path`; errors of the disk become faults. `endLine` ends the line "Write error: …" that
 * LMDB has left open on the standard error by then.
 */
export function withFaults<T>(
  path: string,
  action: () => T,
  endLine: () => void = () => process.stderr.write('\n'),
): T {
  try {
    return action()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    const isFull = fullErrors.test(text)
    // LMDB also reports this when the disk was full in the middle of a write.
    if (!isFull && !/Input\/output error/.test(text)) throw error
    endLine()
    throw new StoreError({ code: isFull || !hasRoom(path) ? 'DISK_FULL' : 'DISK_FAILED', path }, error)
  }
}

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= minFreeBytes
}
