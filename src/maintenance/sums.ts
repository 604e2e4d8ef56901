import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from './fault.ts'

/** The file with the checksums of a backup, as `sha256sum -c` reads it. */
export const sumsFile = 'SHA256SUMS'

/** The SHA-256 of a file, in hexadecimal. */
export async function sumOf(file: string, onBytes: (count: number) => void = () => {}): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    onBytes((chunk as Buffer).length)
  }
  return hash.digest('hex')
}

/** Writes the checksums of files of a folder beside them. */
export async function writeSums(
  folder: string,
  names: readonly string[],
  onBytes: (count: number) => void,
): Promise<void> {
  const lines: string[] = []
  for (const name of names) lines.push(`${await sumOf(join(folder, name), onBytes)}  ${name}\n`)
  writeFileSync(join(folder, sumsFile), lines.join(''), { mode: 0o600 })
}

/** Checksums by name; throws if a line is not one. */
export function readSums(folder: string): Map<string, string> {
  const file = join(folder, sumsFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BackupError({ code: 'NOT_A_BACKUP', path: folder, reason: `it has no ${sumsFile}` }, error)
  }
  const sums = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}([\w./-]+)$/.exec(line) ?? []
    if (sum === undefined || name === undefined || name.includes('..') || name.startsWith('/'))
      throw new BackupError({ code: 'BACKUP_DAMAGED', path: file, reason: 'a line is not a checksum' })
    sums.set(name, sum)
  }
  if (!text.endsWith('\n') || sums.size === 0)
    throw new BackupError({ code: 'BACKUP_DAMAGED', path: file, reason: 'it ends too early' })
  return sums
}
