import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fromBase64 } from '../../privacy/enclave/base64.ts'
import { type KeyPair, keyPairOf } from '../keys.ts'
import { keyLength } from '../payload.ts'
import { TesseraError } from './fault.ts'
import { type LockedKey, unlockKey } from './unlockKey.ts'

/** What a Tessera's configuration says that another manager has to know. */
export interface TesseraConfig {
  readonly keys: readonly KeyPair[]
  /** Address of its database. */
  readonly jdbc: { readonly url: string; readonly username: string }
  /** The address that other managers call. */
  readonly peerUrl: string | undefined
  /** Addresses of other managers. */
  readonly peers: readonly string[]
}

interface KeyEntry {
  readonly privateKey?: string
  readonly privateKeyPath?: string
  readonly publicKey?: string
  readonly publicKeyPath?: string
  readonly password?: string
  readonly config?: { readonly type?: string; readonly data?: { readonly bytes?: string } & Partial<LockedKey> }
  readonly [vault: string]: unknown
}

interface ConfigFile {
  readonly keys?: {
    readonly keyData?: readonly KeyEntry[]
    readonly passwords?: readonly string[]
    readonly passwordFile?: string
  }
  readonly jdbc?: { readonly url?: string; readonly username?: string }
  readonly serverConfigs?: readonly { readonly app?: string; readonly serverAddress?: string }[]
  readonly peer?: readonly { readonly url?: string }[]
}

/** Reads a Tessera's configuration and its keys, which it opens with their passwords: those given, or those that it names. */
export function readTesseraConfig(path: string, givenPasswords: readonly string[] | undefined): TesseraConfig {
  const file = readJson<ConfigFile>(path)
  const invalid = (reason: string) => new TesseraError({ code: 'CONFIG_INVALID', path, reason })
  const entries = file.keys?.keyData
  if (!Array.isArray(entries) || entries.length === 0) throw invalid('keys.keyData is missing')
  const place = (name: string) => placeOf(name, path)
  const passwords = givenPasswords ?? file.keys?.passwords ?? passwordsIn(file.keys?.passwordFile, place)
  const p2p = file.serverConfigs?.find(({ app }) => app === 'P2P')?.serverAddress
  return {
    keys: entries.map((entry: KeyEntry, i) => readKey(entry, entry.password ?? passwords[i], place)),
    jdbc: { url: file.jdbc?.url ?? '', username: file.jdbc?.username ?? '' },
    peerUrl: p2p,
    peers: (file.peer ?? []).flatMap(({ url }) => url ?? []),
  }
}

/** Passwords of a file, one line per key. */
export function readPasswords(path: string): readonly string[] {
  return readText(path).replace(/\n$/, '').split(/\r?\n/)
}

function passwordsIn(file: string | undefined, place: (name: string) => string): readonly string[] {
  return file === undefined ? [] : readPasswords(place(file))
}

/** Tessera takes paths from where it was started: that may be here, or where its configuration is. */
function placeOf(name: string, config: string): string {
  if (isAbsolute(name) || existsSync(name)) return name
  return join(dirname(resolve(config)), name)
}

function readKey(entry: KeyEntry, password: string | undefined, place: (name: string) => string): KeyPair {
  const { privateKey, privateKeyPath, publicKeyPath } = entry
  const publicKey = entry.publicKey ?? (publicKeyPath && readText(place(publicKeyPath)).trim())
  const key = publicKey ?? privateKeyPath ?? 'without a name'
  const invalid = (reason: string) => new TesseraError({ code: 'KEY_INVALID', key, reason })
  const secret = privateKey === undefined ? readSecret(entry, password, key, place) : fromBase64(privateKey)
  if (secret?.length !== keyLength) throw invalid('it does not have 32 bytes: only NaCl keys are supported')
  const pair = keyPairOf(secret)
  if (publicKey !== undefined && publicKey !== pair.name) throw invalid(`its public key is ${pair.name}`)
  return pair
}

function readSecret(
  { privateKeyPath, config, ...others }: KeyEntry,
  password: string | undefined,
  key: string,
  place: (name: string) => string,
): Uint8Array | undefined {
  const stored =
    config ?? (privateKeyPath === undefined ? undefined : readJson<KeyEntry['config']>(place(privateKeyPath)))
  if (!stored) {
    const kind = Object.keys(others).find((name) => /vault|azure|aws|hashicorp/i.test(name))
    throw new TesseraError({ code: 'KEY_ELSEWHERE', key, kind: kind ?? 'unknown' })
  }
  if (stored.type === 'unlocked') return fromBase64(stored.data?.bytes ?? '')
  if (stored.type !== 'argon2sbox' || !isLocked(stored.data))
    throw new TesseraError({ code: 'KEY_INVALID', key, reason: `its type is ${stored.type}` })
  if (password === undefined || password === '') throw new TesseraError({ code: 'PASSWORD_MISSING', key })
  return unlockKey(stored.data, password, key)
}

function isLocked(data: Partial<LockedKey> | undefined): data is LockedKey {
  return [data?.snonce, data?.asalt, data?.sbox].every((text) => typeof text === 'string') && data?.aopts !== undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new TesseraError({ code: 'FILE_UNREADABLE', path, reason }, error)
  }
}

function readJson<T>(path: string): T {
  const text = readText(path)
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw new TesseraError({ code: 'CONFIG_INVALID', path, reason: 'it is not JSON' }, error)
  }
}
