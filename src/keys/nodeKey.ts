import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toHex } from '../primitives/hex.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
import { KeyError } from './fault.ts'
import { decryptKeystore, encryptKeystore, isKeystore } from './keystore.ts'
import { lineBreakAt, readNewPassword, readPasswordFile } from './passwordFile.ts'
import { readSecretFile, wipe, withSecret } from './readSecretFile.ts'

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
  /** The options that name the files, for messages. */
  readonly option?: string | undefined
  readonly passwordOption?: string
}

/**
 * Reads a private key: one line of 32 bytes in hexadecimal, `0x` optional; or a keystore file (Web3 Secret Storage, version 3) and its
 * password. Nothing but the key stays in memory.
 */
export async function readPrivateKey(file: KeyFile): Promise<Uint8Array> {
  const { path, passwordFile, passwordOption = '--password-file' } = file
  const bytes = readKeyBytes(file)
  if (!isKeystore(bytes)) {
    if (passwordFile === undefined) return withSecret(bytes, (line) => parsePlainKey(line, path))
    wipe(bytes)
    throw new KeyError({ code: 'KEY_NOT_ENCRYPTED', path })
  }
  if (passwordFile === undefined) {
    const remedy = `the key is encrypted; name the file that holds its password with ${passwordOption}`
    throw new KeyError({ code: 'PASSWORD_MISSING', path, remedy })
  }
  const text = new TextDecoder().decode(bytes)
  return withSecret(readPasswordFile(passwordFile), (password) => decryptKeystore(text, password, path))
}

/** Reads a file that should hold a key; whoever uses it overwrites the bytes. */
export function readKeyBytes({ path, option }: Pick<KeyFile, 'path' | 'option'>): Uint8Array {
  try {
    return readSecretFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new KeyError({ code: 'KEY_FILE_UNREADABLE', path }, error)
    throw new KeyError({ code: 'KEY_FILE_MISSING', path, option }, error)
  }
}

/** The value of a digit, by its ASCII code. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = (code | 0x20) - 0x61
  return letter >= 0 && letter < 6 ? 10 + letter : Number.NaN
}

/** Reads the digits as they lie there: a string of them could not be overwritten, and the error of one that is none would quote it. */
function parsePlainKey(bytes: Uint8Array, path: string): Uint8Array {
  const hasPrefix = bytes[0] === 0x30 && bytes[1] === 0x78
  const digits = bytes.subarray(hasPrefix ? 2 : 0, bytes.length - lineBreakAt(bytes))
  const invalid = () => new KeyError({ code: 'KEY_FILE_INVALID', path })
  if (digits.length !== 64) throw invalid()
  const key = new Uint8Array(32)
  for (let i = 0; i < 32; i++) {
    const byte = 16 * digitOf(digits[2 * i]!) + digitOf(digits[2 * i + 1]!)
    if (Number.isNaN(byte)) throw invalid()
    key[i] = byte
  }
  if (curve.isPrivateKey(key)) return key
  throw invalid()
}

/** What the file of a private key holds: a keystore if a password file is named, else one line of hexadecimal. */
export async function keyFileText(key: Uint8Array, passwordFile: string | undefined): Promise<string> {
  if (passwordFile === undefined) return toHex(key)
  const named = { address: privateKeyToAddress(key) }
  return withSecret(readNewPassword(passwordFile), (password) => encryptKeystore(key, password, named))
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
  const option = keyFile === undefined ? undefined : '--node-private-key-file'
  return { path, passwordFile, option, passwordOption: '--node-private-key-password-file' }
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
  const key = generatePrivateKey()
  const text = await keyFileText(key, place.passwordFile)
  makeFolder(dirname(path), 0o700)
  writeFileAtomically(path, text, 0o600)
  onGenerated?.({ path, key })
  return key
}
