import { mkdirSync, rmSync } from 'node:fs'

/** A folder to make something in, which gets its name when it is whole; what an attempt that was broken off left goes. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  return path
}
