import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { x25519 } from '@noble/curves/ed25519.js'
import { decryptSecret, encryptKeystore, x25519Type } from '../keys/keystore.ts'
import { readNewPassword, readPasswordFile } from '../keys/passwordFile.ts'
import { readSecretFile, wipe, withSecret } from '../keys/readSecretFile.ts'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import type { Logger } from '../system/logger.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeNewFile } from '../system/writeNewFile.ts'
import { ManagerError } from './fault.ts'
import { keyLength } from './payload.ts'

/** A key of a manager's user: an X25519 key pair. */
export interface KeyPair {
  readonly publicKey: Uint8Array
  readonly privateKey: Uint8Array
  /** The public key in base64. */
  readonly name: string
}

/** The key pair of a private key. */
export function keyPairOf(privateKey: Uint8Array): KeyPair {
  const publicKey = x25519.getPublicKey(privateKey)
  return { publicKey, privateKey, name: toBase64(publicKey) }
}

/** Makes a new key pair. */
export function generateKeyPair(): KeyPair {
  return keyPairOf(new Uint8Array(randomBytes(keyLength)))
}

/** Forms of a private key's file: Tessera's JSON without password, or one line of base64. */
export const keyFormats = ['tessera', 'base64'] as const
export type KeyFormat = (typeof keyFormats)[number]

/** Where the public key of a private key's file lies: beside it, as `.pub`. */
export function publicKeyFileOf(path: string): string {
  return `${path.replace(/\.key$/, '')}.pub`
}

/** Writes a private key that only this user can read, and its public key beside it; files that exist are kept. */
export function writeKeyFiles(path: string, pair: KeyPair, text: string): void {
  const publicPath = publicKeyFileOf(path)
  for (const each of [path, publicPath])
    if (existsSync(each)) throw new ManagerError({ code: 'KEY_FILE_EXISTS', path: each })
  makeFolder(dirname(path), 0o700)
  writeNewFile(path, text, 0o600)
  writeNewFile(publicPath, pair.name, 0o600)
}

/** What the file of a private key holds that lies in the open. */
export function plainKeyText({ privateKey }: KeyPair, format: KeyFormat): string {
  const secret = toBase64(privateKey)
  return format === 'base64' ? secret : JSON.stringify({ type: 'unlocked', data: { bytes: secret } }, undefined, 2)
}

/** What it holds: a keystore if a password file is named, else the key in the open. */
export async function keyPairText(
  pair: KeyPair,
  passwordFile: string | undefined,
  format: KeyFormat = 'tessera',
): Promise<string> {
  if (passwordFile === undefined) return plainKeyText(pair, format)
  return withSecret(readNewPassword(passwordFile), (password) =>
    encryptKeystore(pair.privateKey, password, { type: x25519Type }),
  )
}

/** Reads private keys; undefined where none are named. */
export async function readKeyFiles(
  paths: readonly string[] | undefined,
  passwordFile: string | undefined,
): Promise<readonly KeyPair[] | undefined> {
  if (paths === undefined) return undefined
  const pairs: KeyPair[] = []
  // One after another: each derivation takes all the memory that scrypt was made to take.
  for (const path of paths) pairs.push(await readKeyFile(path, passwordFile))
  return pairs
}

/** Reads a private key: Tessera's JSON (without password), base64, or a keystore file with its password. */
export async function readKeyFile(path: string, passwordFile?: string): Promise<KeyPair> {
  let text: string
  try {
    const bytes = readSecretFile(path)
    text = new TextDecoder().decode(bytes).trim()
    wipe(bytes)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ManagerError({ code: 'KEY_FILE_UNREADABLE', path, reason }, error)
  }
  const bytes = await secretOf(text, path, passwordFile)
  if (bytes?.length !== keyLength)
    throw new ManagerError({ code: 'KEY_FILE_INVALID', path, reason: 'it does not hold 32 bytes of base64' })
  return keyPairOf(bytes)
}

async function secretOf(text: string, path: string, passwordFile: string | undefined): Promise<Uint8Array | undefined> {
  const invalid = (reason: string) => new ManagerError({ code: 'KEY_FILE_INVALID', path, reason })
  if (isEncrypted(text)) {
    if (passwordFile === undefined)
      throw invalid(
        'the key is encrypted: name the file that holds its password with the option that ends in key-password-file',
      )
    return withSecret(readPasswordFile(passwordFile), (password) => decryptSecret(text, password, path))
  }
  if (passwordFile !== undefined)
    throw invalid(
      'it is not encrypted, although a password is given: run `quoin key encrypt`, or leave the password out',
    )
  return fromBase64(text.startsWith('{') ? secretIn(text, path) : text)
}

/** Whether a key file is a Web3 Secret Storage file, and not one of Tessera's. */
function isEncrypted(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly version?: unknown } | null)?.version === 3
  } catch {
    return false
  }
}

/** Reads the private key in a file, or makes the file if it does not exist. */
export async function loadOrCreateKey(
  path: string,
  onGenerated?: (pair: KeyPair) => void,
  passwordFile?: string,
): Promise<KeyPair> {
  if (existsSync(path)) return readKeyFile(path, passwordFile)
  const pair = generateKeyPair()
  writeKeyFiles(path, pair, await keyPairText(pair, passwordFile))
  onGenerated?.(pair)
  return pair
}

/** Where the key of a manager lies unless it is configured otherwise. */
export function defaultKeyFile(dataPath: string): string {
  return join(dataPath, 'privacy.key')
}

/** Reads the manager's key in the data path; makes it, and logs its public key, if there is none. */
export function loadOwnKey(dataPath: string, log: Logger, passwordFile: string | undefined): Promise<KeyPair> {
  const onGenerated = ({ name }: KeyPair) =>
    log.info({ key: name }, 'generated a key of the private transaction manager: {key}')
  return loadOrCreateKey(defaultKeyFile(dataPath), onGenerated, passwordFile)
}

interface TesseraKey {
  readonly type?: unknown
  readonly data?: { readonly bytes?: unknown } | null
}

function secretIn(json: string, path: string): string {
  const invalid = (reason: string) => new ManagerError({ code: 'KEY_FILE_INVALID', path, reason })
  let key: TesseraKey
  try {
    key = JSON.parse(json) as TesseraKey
  } catch {
    throw invalid('it is neither JSON nor base64')
  }
  if (key.type === 'argon2sbox')
    throw invalid('the key has a password; quoin privacy-manager import takes it over without one')
  const secret = key.data?.bytes
  if (key.type !== 'unlocked' || typeof secret !== 'string') throw invalid('it is not an unlocked key of Tessera')
  return secret
}
