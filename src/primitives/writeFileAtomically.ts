import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Puts a text, whole or in pieces, under a name so that a reader, or a crash at any moment, finds all of it or what was there before. */
export function writeFileAtomically(path: string, text: string | Iterable<string>, mode = 0o666): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'wx', mode)
  try {
    for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(file, piece)
    fsyncSync(file)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
