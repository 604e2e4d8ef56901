import { statfs } from 'node:fs/promises'

/** The space that is left for the data of a node. */
export interface DiskSpace {
  readonly folder: string
  /** In bytes. */
  readonly free: number
}

const mebibyte = 2 ** 20
/** Free bytes below which a node is close to its end, and below which that is worth a warning. */
const minFree = { error: 256 * mebibyte, warning: 4096 * mebibyte }

export async function measureDisk(folder: string): Promise<DiskSpace> {
  const { bavail, bsize } = await statfs(folder)
  return { folder, free: bavail * bsize }
}

/** What is to be said of it; a node's own list of problems and `quoin doctor` say the same. */
export function judgeDisk({ folder, free }: DiskSpace): {
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  readonly advice: string
} {
  const text = `${Math.floor(free / mebibyte)} MiB free on the disk of ${folder}`
  if (free < minFree.error)
    return {
      level: 'error',
      text,
      advice:
        'free some space: a node whose disk is full makes and imports no block, and goes on by itself when there is room again',
    }
  if (free < minFree.warning)
    return {
      level: 'warning',
      text,
      advice: 'plan for more space, or limit the history with --history-blocks and --block-history',
    }
  return { level: 'ok', text, advice: '' }
}
