import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
import { KeyError } from './fault.ts'
import { decryptKeystore, encryptKeystore, isKeystore } from './keystore.ts'
import { readNewPassword, readPasswordFile } from './passwordFile.ts'

/** Generates a private key. */
export function generatePrivateKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32))
    if (curve.isPrivateKey(key)) return key
  }
}

/** A file that holds a private key, and the one that holds its password if the key is encrypted. */
export interface KeyFile {
  readonly path: string
  readonly passwordFile?: string | undefined
  /** The option that names the password file, for messages. */
  readonly passwordOption?: string
}

/**
 * Reads a private key: one line of 32 bytes in hexadecimal, `0x` optional; or a keystore file (Web3 Secret Storage, version 3) and its
 * password.
 */
export async function readPrivateKey(file: KeyFile): Promise<Uint8Array> {
  const { path, passwordFile, passwordOption = '--password-file' } = file
  const text = readKeyText(path)
  if (!isKeystore(text)) {
    if (passwordFile !== undefined) throw new KeyError({ code: 'KEY_NOT_ENCRYPTED', path })
    return parsePlainKey(text, path)
  }
  if (passwordFile === undefined) {
    const remedy = `the key is encrypted; name the file that holds its password with ${passwordOption}`
    throw new KeyError({ code: 'PASSWORD_MISSING', path, remedy })
  }
  return decryptKeystore(text, readPasswordFile(passwordFile), path)
}

/** Reads the text of a file that should hold a key. */
export function readKeyText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new KeyError({ code: missing ? 'KEY_FILE_MISSING' : 'KEY_FILE_UNREADABLE', path }, error)
  }
}

function parsePlainKey(text: string, path: string): Uint8Array {
  const line = /^([^\r\n]*)(?:\r?\n)?$/.exec(text)?.[1]
  try {
    const key = fromHex(line ?? '')
    if (curve.isPrivateKey(key)) return key
  } catch (error) {
    throw new KeyError({ code: 'KEY_FILE_INVALID', path }, error)
  }
  throw new KeyError({ code: 'KEY_FILE_INVALID', path })
}

/** What the file of a private key holds: a keystore if there is a password, else one line of hexadecimal. */
export function keyFileText(key: Uint8Array, password: string | undefined): Promise<string> | string {
  return password === undefined ? toHex(key) : encryptKeystore(key, password, { address: privateKeyToAddress(key) })
}

/** A node key that was generated because the node had none. */
export interface GeneratedKey {
  readonly path: string
  readonly key: Uint8Array
}

/** Where the key of a node lies. */
export interface NodeKeyPlace {
  readonly dataPath: string
  /** By default `key` in the data path. */
  readonly keyFile: string | undefined
  /** Set if the key is encrypted, or is to be when it is generated. */
  readonly passwordFile: string | undefined
}

/** The file of a node's key, wherever it is. */
export function nodeKeyFile({ dataPath, keyFile, passwordFile }: NodeKeyPlace): KeyFile {
  const path = keyFile ?? join(dataPath, 'key')
  return { path, passwordFile, passwordOption: '--node-private-key-password-file' }
}

/**
 * Loads the private key of a node. Only in the data path a missing key is generated: a validator whose file is misspelled must not
 * start as somebody else.
 */
export async function loadOrCreateNodeKey(
  place: NodeKeyPlace,
  onGenerated?: (generated: GeneratedKey) => void,
): Promise<Uint8Array> {
  const file = nodeKeyFile(place)
  const { path } = file
  if (place.keyFile !== undefined || existsSync(path)) return readPrivateKey(file)
  const password = place.passwordFile === undefined ? undefined : readNewPassword(place.passwordFile)
  const key = generatePrivateKey()
  const text = await keyFileText(key, password)
  makeFolder(dirname(path), 0o700)
  writeFileAtomically(path, text, 0o600)
  onGenerated?.({ path, key })
  return key
}
