import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { StoreError } from './fault.ts'
import { createOwner, decodeOwner, encodeOwner, isRunning } from './owner.ts'

// Who repairs a database cannot open it to become its owner: a file beside the folder keeps others out meanwhile.

const fileOf = (path: string) => `${path}.held`

/** Keeps everybody out of a data directory, which may be moved meanwhile, until the result is called. */
export function holdFolder(path: string): () => void {
  checkNotHeld(path)
  writeFileSync(fileOf(path), encodeOwner(createOwner()), { mode: 0o600 })
  return () => rmSync(fileOf(path), { force: true })
}

/** Throws LOCKED if a process that runs keeps others out. */
export function checkNotHeld(path: string): void {
  let pid: number | undefined
  try {
    const holder = decodeOwner(readFileSync(fileOf(path)))
    if (isRunning(holder)) pid = holder.pid
  } catch {
    // There is none, or it was not written to its end by a process that is gone.
  }
  if (pid !== undefined) throw new StoreError({ code: 'LOCKED', path, pid })
}
