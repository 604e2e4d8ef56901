import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../primitives/fault.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { writeFileAtomically } from '../primitives/writeFileAtomically.ts'

export type NodeKeyFault =
  | { code: 'KEY_FILE_MISSING'; path: string }
  | { code: 'KEY_FILE_INVALID'; path: string }
  | { code: 'KEY_FILE_UNREADABLE'; path: string }

/** The message is one line for the operator. */
export class NodeKeyError extends Fault<NodeKeyFault> {
  constructor(at: NodeKeyFault, cause?: unknown) {
    super(at, cause, `${at.path}: ${complaints[at.code]}`)
  }
}

const complaints: Record<NodeKeyFault['code'], string> = {
  KEY_FILE_MISSING: 'there is no such private key file',
  KEY_FILE_INVALID: 'Supplied file does not contain valid keyPair pair.',
  KEY_FILE_UNREADABLE: 'the private key file cannot be read',
}

/** A fresh private key. */
export function generatePrivateKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32))
    if (curve.isPrivateKey(key)) return key
  }
}

/** The private key in a file: one line of 32 bytes in hexadecimal, `0x` optional. */
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
 * The node's private key from `keyFile`, by default `key` in the data path; made when there is none.
 * As in Besu, a `keyFile` that does not exist stands for the file `key` in its folder.
 */
export function loadOrCreateNodeKey(dataPath: string, keyFile?: string): Uint8Array {
  if (keyFile !== undefined && existsSync(keyFile)) return readNodeKey(keyFile)
  const path = join(keyFile === undefined ? dataPath : dirname(keyFile), 'key')
  if (existsSync(path)) return readNodeKey(path)
  const key = generatePrivateKey()
  mkdirSync(dirname(path), { recursive: true })
  writeFileAtomically(path, toHex(key), 0o600)
  return key
}
