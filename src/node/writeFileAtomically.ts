import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Puts a text under a name so that a reader, or a crash at any moment, finds all of it or what was there before. */
export function writeFileAtomically(path: string, text: string, mode = 0o666): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'wx', mode)
  try {
    writeSync(file, text)
    fsyncSync(file)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
