import { rmSync, writeFileSync } from 'node:fs'
import { failed } from '../config/fault.ts'

/** Writes the id of this process to a file; returns what removes it. */
export function writePidFile(file: string): () => void {
  try {
    writeFileSync(file, String(process.pid))
  } catch (error) {
    throw failed(`Failed to create PID file: ${file}: ${(error as NodeJS.ErrnoException).code}`, error)
  }
  return () => rmSync(file, { force: true })
}
