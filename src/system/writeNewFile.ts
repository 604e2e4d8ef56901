import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file that is not there yet; throws EEXIST if it is, even if it came into being a moment ago. */
export function writeNewFile(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
