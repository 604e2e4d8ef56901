import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system of its own in a folder, which can be filled. */
export interface SmallDisk {
  /** Leaves so many bytes. */
  fill(left?: number): void
  /** Takes out what filled it. */
  free(): void
  close(): void
}

/** Undefined where this user may not mount. */
export function mountSmallDisk(folder: string, megabytes = 512): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
  if (status !== 0) return undefined
  const ballast = join(folder, 'ballast')
  const unmount = () => void spawnSync('umount', ['-l', folder])
  process.on('exit', unmount)
  return {
    fill(left = 0) {
      const file = openSync(ballast, 'w')
      const bytes = Buffer.alloc(1 << 16)
      let length = 0
      try {
        for (;;) length += writeSync(file, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        if (left > 0) ftruncateSync(file, Math.max(0, length - left))
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
