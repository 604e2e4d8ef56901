import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { concatBytes, padLeft } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import type { JsonObject } from '../primitives/json.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { KeyError } from './fault.ts'
import { wipe } from './readSecretFile.ts'

const deriveByScrypt = promisify<Uint8Array, Uint8Array, number, object, Buffer>(scrypt)
const deriveByPbkdf2 = promisify(pbkdf2)

/** Memory that the derivation of a key may take: four times what geth's files need. */
const maxScryptMemory = 1 << 30
const maxIterations = 100_000_000

/** geth's parameters: a guess takes a quarter of a gigabyte and about a second. */
const strongScrypt = { n: 2 ** 18, r: 8, p: 1 }

/** What a keystore file says of a key that is no account's. */
export const x25519Type = 'x25519'

/** Parameters of scrypt, under the names that the file has. */
export type ScryptCost = typeof strongScrypt

/**
 * Encrypts 32 bytes as a Web3 Secret Storage file of version 3. A key of secp256k1 is named by its address, as other programs do it; one
 * of X25519, which the format does not know, by its type.
 */
export async function encryptKeystore(
  secret: Uint8Array,
  password: Uint8Array,
  named: { readonly address: Uint8Array } | { readonly type: typeof x25519Type } | undefined,
  { n, r, p }: ScryptCost = strongScrypt,
): Promise<string> {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const derived = await deriveByScrypt(password, salt, 32, { N: n, r, p, maxmem: 128 * r * (n + p) + (1 << 20) })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = concatBytes(cipher.update(secret), cipher.final())
  const mac = keccak256(concatBytes(derived.subarray(16, 32), ciphertext))
  wipe(derived)
  const crypto = {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: hex(iv) },
    ciphertext: hex(ciphertext),
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n, r, p, salt: hex(salt) },
    mac: hex(mac),
  }
  const name = named && 'address' in named ? { address: hex(named.address) } : named
  const file = { ...name, crypto, id: randomUUID(), version: 3 }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/** Whether a key file is a keystore, which needs a password. */
export function isKeystore(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20)
  return first === 0x7b
}

/** Decrypts a private key of secp256k1 in a Web3 Secret Storage file of version 3; `path` is for messages. */
export async function decryptKeystore(text: string, password: Uint8Array, path: string): Promise<Uint8Array> {
  const plain = await decryptSecret(text, password, path)
  // Early versions of geth dropped leading zeros.
  const key = plain.length < 32 ? padLeft(plain, 32) : plain
  if (key !== plain) wipe(plain)
  const invalid = (reason: string) => new KeyError({ code: 'KEYSTORE_INVALID', path, reason })
  if (!curve.isPrivateKey(key)) throw invalid('it does not contain a private key')
  checkAddress(addressIn(text), key, invalid)
  return key
}

/** The address that a keystore file names. */
export const addressIn = (text: string): unknown => (JSON.parse(text) as JsonObject)['address']

/** Decrypts what is in a Web3 Secret Storage file of version 3, whatever it is the key of. */
export async function decryptSecret(text: string, password: Uint8Array, path: string): Promise<Uint8Array> {
  const invalid = (reason: string) => new KeyError({ code: 'KEYSTORE_INVALID', path, reason })

  function member(object: JsonObject, name: string): JsonObject {
    const value = object[name]
    if (typeof value !== 'object' || value === null) throw invalid(`${name} is missing`)
    return value as JsonObject
  }
  function bytes(object: JsonObject, name: string): Uint8Array {
    const value = object[name]
    if (typeof value !== 'string' || !/^(?:0x)?(?:[0-9a-fA-F]{2})*$/.test(value)) throw invalid(`${name} is not hex`)
    return fromHex(value)
  }
  function integer(object: JsonObject, name: string, max: number): number {
    const value = object[name]
    if (!Number.isSafeInteger(value) || (value as number) < 1) throw invalid(`${name} is not a positive integer`)
    if ((value as number) > max) throw invalid(`${name} is too large`)
    return value as number
  }

  async function derive(crypto: JsonObject): Promise<Uint8Array> {
    const params = member(crypto, 'kdfparams')
    const salt = bytes(params, 'salt')
    const length = integer(params, 'dklen', 1024)
    if (length < 32) throw invalid('dklen is below 32')
    if (crypto['kdf'] === 'pbkdf2') {
      if (params['prf'] !== 'hmac-sha256') throw invalid('prf is not hmac-sha256')
      return deriveByPbkdf2(password, salt, integer(params, 'c', maxIterations), length, 'sha256')
    }
    if (crypto['kdf'] !== 'scrypt') throw invalid('kdf is neither scrypt nor pbkdf2')
    const [N, r, p] = [integer(params, 'n', 2 ** 31), integer(params, 'r', 2 ** 20), integer(params, 'p', 2 ** 20)]
    const memory = 128 * r * (N + p)
    if (memory > maxScryptMemory) throw invalid('scrypt would need more than 1 GiB')
    if (N < 2 || !Number.isInteger(Math.log2(N))) throw invalid('n is not a power of two')
    // RFC 7914 forbids what the definition's own example and eth-keyfile (Python) use, r = 1 with n = 262144; OpenSSL refuses it.
    if (Math.log2(N) >= 16 * r) {
      const { scryptAsync } = await import('@noble/hashes/scrypt.js')
      return scryptAsync(password, salt, { N, r, p, dkLen: length, maxmem: maxScryptMemory })
    }
    return deriveByScrypt(password, salt, length, { N, r, p, maxmem: memory + (1 << 20) })
  }

  let file: JsonObject
  try {
    file = JSON.parse(text) as JsonObject
  } catch {
    throw invalid('it is not JSON')
  }
  if (file?.['version'] !== 3) throw invalid('its version is not 3')
  const crypto = member(file, 'crypto' in file ? 'crypto' : 'Crypto')
  if (crypto['cipher'] !== 'aes-128-ctr') throw invalid('cipher is not aes-128-ctr')
  const iv = bytes(member(crypto, 'cipherparams'), 'iv')
  if (iv.length !== 16) throw invalid('iv does not have 16 bytes')
  const ciphertext = bytes(crypto, 'ciphertext')
  const mac = bytes(crypto, 'mac')
  const derived = await derive(crypto)
  try {
    const expected = keccak256(concatBytes(derived.subarray(16, 32), ciphertext))
    if (mac.length !== 32 || !timingSafeEqual(mac, expected)) throw new KeyError({ code: 'WRONG_PASSWORD', path })
    const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
    const [plain, rest] = [decipher.update(ciphertext), decipher.final()]
    const secret = concatBytes(plain, rest)
    wipe(plain, rest)
    return secret
  } finally {
    wipe(derived)
  }
}

function checkAddress(given: unknown, key: Uint8Array, invalid: (reason: string) => KeyError): void {
  if (given === undefined) return
  const address = Buffer.from(privateKeyToAddress(key)).toString('hex')
  if (typeof given !== 'string' || given.toLowerCase().replace(/^0x/, '') !== address)
    throw invalid(`its key is that of 0x${address}, not of its address`)
}
