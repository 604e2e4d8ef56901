import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that the files in a folder take on disk. */
export function folderSize(folder: string): number {
  let size = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += statSync(join(entry.parentPath, entry.name)).blocks * 512
  return size
}
