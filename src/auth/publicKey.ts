import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AuthError } from './fault.ts'

/** The algorithms of tokens that an operator may choose. */
export const tokenAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'] as const
export type TokenAlgorithm = (typeof tokenAlgorithms)[number]

/** The curve of each algorithm with elliptic curves, as OpenSSL names it. */
const curves: Partial<Record<TokenAlgorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
}
const minModulus = 2048

/** Reads a public key in a PEM file; throws an AuthError if it does not fit the algorithm. */
export function readPublicKey(path: string, algorithm: TokenAlgorithm): KeyObject {
  const key = parseKey(path)
  const reason = misfit(key, algorithm)
  if (reason !== undefined) throw new AuthError({ code: 'KEY_KIND', path, algorithm, reason })
  return key
}

function parseKey(path: string): KeyObject {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new AuthError({ code: 'KEY_UNREADABLE', path }, error)
  }
  // Node would also take a private key, and derive the public one.
  if (!text.includes('-----BEGIN PUBLIC KEY-----')) throw new AuthError({ code: 'KEY_FORMAT', path })
  try {
    return createPublicKey(text)
  } catch (error) {
    throw new AuthError({ code: 'KEY_FORMAT', path }, error)
  }
}

function misfit({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject, algorithm: TokenAlgorithm) {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails ?? {}
  const curve = curves[algorithm]
  if (curve !== undefined) return namedCurve === curve ? undefined : `is not a key of the curve ${curve}`
  if (type !== 'rsa') return 'is not an RSA key'
  return modulusLength >= minModulus ? undefined : `has ${modulusLength} bits; at least ${minModulus} are needed`
}
