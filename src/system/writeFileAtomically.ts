import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file so that readers, also after a crash, find either the complete new content or the old file. */
export function writeFileAtomically(path: string, content: string | Uint8Array | Iterable<string>, mode = 0o666): void {
  // Not the process id: in a container that is the same after a crash that left the temporary file.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = openSync(temporary, 'wx', mode)
  try {
    const isWhole = typeof content === 'string' || content instanceof Uint8Array
    for (const piece of isWhole ? [content] : content) writeFileSync(file, piece)
    fsyncSync(file)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
