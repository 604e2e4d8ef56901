import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { x25519 } from '@noble/curves/ed25519.js'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import type { Logger } from '../system/logger.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
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
export function writeKeyFiles(path: string, pair: KeyPair, format: KeyFormat): void {
  const publicPath = publicKeyFileOf(path)
  for (const each of [path, publicPath])
    if (existsSync(each)) throw new ManagerError({ code: 'KEY_FILE_EXISTS', path: each })
  const secret = toBase64(pair.privateKey)
  makeFolder(dirname(path), 0o700)
  const json = JSON.stringify({ type: 'unlocked', data: { bytes: secret } }, undefined, 2)
  writeFileAtomically(path, format === 'tessera' ? json : secret, 0o600)
  writeFileAtomically(publicPath, pair.name, 0o600)
}

/** Reads a private key: Tessera's JSON (without password), or base64. */
export function readKeyFile(path: string): KeyPair {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ManagerError({ code: 'KEY_FILE_UNREADABLE', path, reason }, error)
  }
  const bytes = fromBase64(text.startsWith('{') ? secretIn(text, path) : text)
  if (bytes?.length !== keyLength)
    throw new ManagerError({ code: 'KEY_FILE_INVALID', path, reason: 'it does not hold 32 bytes of base64' })
  return keyPairOf(bytes)
}

/** Reads the private key in a file, or makes the file if it does not exist. */
export function loadOrCreateKey(path: string, onGenerated?: (pair: KeyPair) => void): KeyPair {
  if (existsSync(path)) return readKeyFile(path)
  const pair = generateKeyPair()
  writeKeyFiles(path, pair, 'tessera')
  onGenerated?.(pair)
  return pair
}

/** Where the key of a manager lies unless it is configured otherwise. */
export function defaultKeyFile(dataPath: string): string {
  return join(dataPath, 'privacy.key')
}

/** Reads the manager's key in the data path; makes it, and logs its public key, if there is none. */
export function loadOwnKey(dataPath: string, log: Logger): KeyPair {
  return loadOrCreateKey(defaultKeyFile(dataPath), ({ name }) =>
    log.info({ key: name }, 'generated a key of the private transaction manager: {key}'),
  )
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
