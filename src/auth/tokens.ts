import type { KeyObject } from 'node:crypto'
import { type CryptoKey, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { User } from './credentials.ts'
import type { TokenAlgorithm } from './publicKey.ts'

/** A key that tokens may be signed with, and the only algorithm that counts for it. */
export interface TokenKey {
  readonly key: CryptoKey | KeyObject
  readonly algorithm: TokenAlgorithm
}

/** What a valid token says. */
export interface TokenClaims {
  readonly permissions: readonly string[]
  /** Seconds since 1970. */
  readonly expires: number
  readonly privacyPublicKey: string | undefined
}

/** Seconds that a token of this node is valid, as in Besu. */
const lifetime = 300
/** Longer tokens are refused unread: a token with all permissions that exist has a fourth of it. */
export const maxTokenLength = 8192

/** Issues tokens with a key pair that exists as long as the process. */
export interface TokenIssuer {
  readonly key: TokenKey
  issue(user: User, now: number): Promise<string>
}

/** Makes a key pair to sign tokens with. */
export async function createTokenIssuer(): Promise<TokenIssuer> {
  const algorithm = 'RS256'
  const { publicKey, privateKey } = await generateKeyPair(algorithm)
  return {
    key: { key: publicKey, algorithm },
    issue({ name, permissions, privacyPublicKey }, now) {
      const issued = Math.floor(now / 1000)
      const claims = { permissions, username: name, ...(privacyPublicKey !== undefined && { privacyPublicKey }) }
      return new SignJWT(claims)
        .setProtectedHeader({ typ: 'JWT', alg: algorithm })
        .setIssuedAt(issued)
        .setExpirationTime(issued + lifetime)
        .sign(privateKey)
    },
  }
}

/** Returns what a token says if one of the keys signed it and it is valid now, in milliseconds since 1970. */
export async function verifyToken(
  token: string,
  keys: readonly TokenKey[],
  now: number,
): Promise<TokenClaims | undefined> {
  if (token.length > maxTokenLength) return undefined
  for (const { key, algorithm } of keys) {
    const payload = await verifyWith(token, key, algorithm, now)
    if (payload) return claimsOf(payload, now)
  }
  return undefined
}

async function verifyWith(
  token: string,
  key: TokenKey['key'],
  algorithm: TokenAlgorithm,
  now: number,
): Promise<JWTPayload | undefined> {
  try {
    const options = { algorithms: [algorithm], requiredClaims: ['exp'], currentDate: new Date(now) }
    const { payload } = await jwtVerify(token, key, options)
    return payload
  } catch {
    // Whatever the library has against a token, it is not valid.
    return undefined
  }
}

function claimsOf({ exp, iat, permissions, ...claims }: JWTPayload, now: number): TokenClaims | undefined {
  // The library looks at `exp` and `nbf`; as in Besu a token of the future is invalid too.
  if (iat !== undefined && iat > Math.floor(now / 1000)) return undefined
  const isText = (value: unknown) => typeof value === 'string'
  // Besu's name of the claim, and the older one.
  const privacyKey = 'privacyUserId' in claims ? claims['privacyUserId'] : claims['privacyPublicKey']
  return {
    permissions: Array.isArray(permissions) ? permissions.filter(isText) : [],
    expires: exp!,
    privacyPublicKey: isText(privacyKey) ? privacyKey : undefined,
  }
}
