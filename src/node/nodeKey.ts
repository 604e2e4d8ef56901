import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { writeFileAtomically } from '../primitives/writeFileAtomically.ts'
import { NodeKeyError } from './fault.ts'

/** Generates a private key. */
export function generatePrivateKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32))
    if (curve.isPrivateKey(key)) return key
  }
}

/** Reads the private key in a file: one line of 32 bytes in hexadecimal, `0x` optional. */
export function readNodeKey(path: string): Uint8Array {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new NodeKeyError({ code: missing ? 'KEY_FILE_MISSING' : 'KEY_FILE_UNREADABLE', path }, error)
  }
  const line = /^([^\r\n]*)(?:\r?\n)?$/.exec(text)?.[1]
  try {
    const key = fromHex(line ?? '')
    if (curve.isPrivateKey(key)) return key
  } catch (error) {
    throw new NodeKeyError({ code: 'KEY_FILE_INVALID', path }, error)
  }
  throw new NodeKeyError({ code: 'KEY_FILE_INVALID', path })
}

/**
 * Loads the private key of the node from `keyFile`, by default `key` in the data path; generates it if the file is missing.
 * As in Besu, if `keyFile` does not exist the file `key` in its folder is used.
 */
export function loadOrCreateNodeKey(dataPath: string, keyFile?: string): Uint8Array {
  if (keyFile !== undefined && existsSync(keyFile)) return readNodeKey(keyFile)
  const path = join(keyFile === undefined ? dataPath : dirname(keyFile), 'key')
  if (existsSync(path)) return readNodeKey(path)
  const key = generatePrivateKey()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileAtomically(path, toHex(key), 0o600)
  return key
}
