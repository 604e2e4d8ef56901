import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system of its own in a folder, which can be filled. */
export interface SmallDisk {
  fill(): void
  /** Takes out what filled it. */
  free(): void
  close(): void
}

const megabytes = 512

/** Undefined where this user may not mount. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
  if (status !== 0) return undefined
  const ballast = join(folder, 'ballast')
  const unmount = () => void spawnSync('umount', ['-l', folder])
  process.on('exit', unmount)
  return {
    fill() {
      const file = openSync(ballast, 'w')
      const bytes = Buffer.alloc(1 << 16)
      try {
        for (;;) writeSync(file, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      process.off('exit', unmount)
      unmount()
    },
  }
}
