import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of the files in a folder, without holes and without what is reserved behind the end of a file. */
export function folderSize(folder: string): number {
  let size = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = statSync(join(entry.parentPath, entry.name))
      size += Math.min(file.size, file.blocks * 512)
    }
  return size
}
