import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
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

/** A node key that was generated because the node had none. */
export interface GeneratedKey {
  readonly path: string
  readonly key: Uint8Array
}

/**
 * Loads the private key of the node from `keyFile`, by default `key` in the data path. Only there a missing key is generated:
 * a validator whose file is misspelled must not start as somebody else.
 */
export function loadOrCreateNodeKey(
  dataPath: string,
  keyFile?: string,
  onGenerated?: (generated: GeneratedKey) => void,
): Uint8Array {
  const path = keyFile ?? join(dataPath, 'key')
  if (keyFile !== undefined || existsSync(path)) return readNodeKey(path)
  const key = generatePrivateKey()
  makeFolder(dirname(path), 0o700)
  writeFileAtomically(path, toHex(key), 0o600)
  onGenerated?.({ path, key })
  return key
}
