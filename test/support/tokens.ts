import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')

/** Makes a token by hand, so that it can be wrong in every way. */
export function makeToken(
  claims: object,
  key: KeyObject | string | undefined,
  header: Readonly<Record<string, unknown>> = { typ: 'JWT', alg: 'RS256' },
  algorithm = String(header['alg']),
): string {
  const text = `${encode(header)}.${encode(claims)}`
  const hash = `sha${algorithm.slice(2)}`
  let signature = ''
  if (typeof key === 'string') signature = createHmac(hash, key).update(text).digest('base64url')
  else if (key) signature = sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `${text}.${signature}`
}

/** Makes an RSA key pair and writes the public key to a file. */
export function makeRsaKey(file: string): { readonly privateKey: KeyObject; readonly pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey, pem: writePem(file, publicKey) }
}

/** Makes a key pair of a curve and writes the public key to a file. */
export function makeEcKey(file: string, namedCurve: string): { readonly privateKey: KeyObject; readonly pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  return { privateKey, pem: writePem(file, publicKey) }
}

function writePem(file: string, key: KeyObject): string {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  writeFileSync(file, pem)
  return pem
}
