import { execFile, spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Why memory cannot be looked at; undefined if it can. */
export const whyNoCores = (): string | undefined =>
  spawnSync('gcore', ['--help']).error ? 'gcore is not installed (Debian: apt install gdb)' : undefined

/** Forms in which a key may lie in memory or in a file: bytes in either order, text in either case and width. */
function formsOf(key: Uint8Array): Buffer[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  const texts = [
    hex,
    hex.toUpperCase(),
    bytes.toString('base64').slice(0, 42),
    bytes.toString('base64url').slice(0, 42),
  ]
  return [
    bytes,
    Buffer.from(bytes).reverse(),
    ...texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]),
  ]
}

const pieceLength = 1 << 26

/** Whether a file contains a key in any form. */
function isKeyInFile(file: string, key: Uint8Array): boolean {
  const forms = formsOf(key)
  const overlap = Math.max(...forms.map(({ length }) => length))
  const descriptor = openSync(file, 'r')
  const piece = Buffer.allocUnsafe(pieceLength + overlap)
  try {
    for (let at = 0; ; at += pieceLength) {
      const length = readSync(descriptor, piece, 0, piece.length, at)
      if (length === 0) return false
      if (forms.some((form) => piece.subarray(0, length).includes(form))) return true
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The files of a folder, and of those in it, that contain a key. */
export function filesWithKey(folder: string, key: Uint8Array): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && isKeyInFile(path, key)
  })
}

/** Whether a core dump of a process contains a key. */
export async function isKeyInMemory(pid: number, key: Uint8Array, folder: string): Promise<boolean> {
  await run('gcore', ['-o', join(folder, 'core'), String(pid)], { maxBuffer: 1 << 26 })
  const core = join(folder, `core.${pid}`)
  try {
    return isKeyInFile(core, key)
  } finally {
    rmSync(core)
  }
}
