import { createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { concatBytes, padLeft } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import type { JsonObject } from '../primitives/json.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { KeyError } from './fault.ts'

const deriveByScrypt = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const deriveByPbkdf2 = promisify(pbkdf2)

/** Memory that the derivation of a key may take: four times what geth's files need. */
const maxScryptMemory = 1 << 30
const maxIterations = 100_000_000

/** Decrypts a Web3 Secret Storage file of version 3; `path` is for messages. */
export async function decryptKeystore(text: string, password: string, path: string): Promise<Uint8Array> {
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
    if (Math.log2(N) >= 16 * r) return scryptAsync(password, salt, { N, r, p, dkLen: length, maxmem: maxScryptMemory })
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
  const expected = keccak256(concatBytes(derived.subarray(16, 32), ciphertext))
  if (mac.length !== 32 || !timingSafeEqual(mac, expected)) throw new KeyError({ code: 'WRONG_PASSWORD', path })
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const plain = concatBytes(decipher.update(ciphertext), decipher.final())
  // Early versions of geth dropped leading zeros.
  const key = plain.length < 32 ? padLeft(plain, 32) : plain
  if (!curve.isPrivateKey(key)) throw invalid('it does not contain a private key')
  checkAddress(file['address'], key, invalid)
  return key
}

function checkAddress(given: unknown, key: Uint8Array, invalid: (reason: string) => KeyError): void {
  if (given === undefined) return
  const address = Buffer.from(privateKeyToAddress(key)).toString('hex')
  if (typeof given !== 'string' || given.toLowerCase().replace(/^0x/, '') !== address)
    throw invalid(`its key is that of 0x${address}, not of its address`)
}
