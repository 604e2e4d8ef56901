import { createRecentMap } from '../primitives/recentMap.ts'
import { openCredentials } from './credentials.ts'
import type { AuthServer } from './fault.ts'
import { createLogin, type Login } from './login.ts'
import { createPasswordChecker, type PasswordChecker } from './passwords.ts'
import { createMayCall, type MayCall, mayCallAll } from './permissions.ts'
import { readPublicKey, type TokenAlgorithm } from './publicKey.ts'
import { createTokenIssuer, maxTokenLength, type TokenClaims, type TokenKey, verifyToken } from './tokens.ts'

/** Who sent a request. */
export interface Caller {
  readonly may: MayCall
  /** Whether the caller has a valid token. */
  readonly isAuthenticated: boolean
  /** Whether the caller may call all methods of a namespace, such as `eth`. */
  mayAll(namespace: string): boolean
  /** The caller's key at the private transaction manager. */
  readonly privacyPublicKey: string | undefined
  /** Milliseconds since 1970 from which on the token is invalid. */
  readonly expires: number
}

export interface AuthOptions {
  readonly server: AuthServer
  readonly credentialsFile: string | undefined
  readonly publicKeyFile: string | undefined
  readonly algorithm: TokenAlgorithm
  /** Methods that anybody may call. */
  readonly openMethods: readonly string[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly passwords?: PasswordChecker
}

/** Says who the callers of one server are. */
export interface Authority {
  /** Whether a header has a token, or some methods need none: otherwise the request need not be read. */
  mayAsk(authorization: string | undefined): boolean
  /** The caller with this Authorization header; one whose token is invalid may call the open methods only. */
  callerOf(authorization: string | undefined): Caller | Promise<Caller>
  /** Whether the token of a caller has expired since. */
  isExpired(caller: Caller): boolean
  /** A caller without a token. */
  readonly anybody: Caller
  /** Undefined without a credentials file. */
  readonly login: Login | undefined
  close(): Promise<void>
}

const scheme = 'Bearer '
/** Headers that are remembered: a call with one of them needs no cryptography. */
const maxRemembered = 1000

/** Creates the authority of a server; throws an AuthError if a file is missing or invalid. */
export async function createAuthority(options: AuthOptions): Promise<Authority> {
  const { now = Date.now, algorithm, publicKeyFile, credentialsFile, server } = options
  const isOpen = new Set(options.openMethods)
  const keys: TokenKey[] = []
  if (publicKeyFile !== undefined) keys.push({ key: readPublicKey(publicKeyFile, algorithm), algorithm })
  const passwords = options.passwords ?? createPasswordChecker()
  let login: Login | undefined
  if (credentialsFile !== undefined) {
    const credentials = openCredentials(credentialsFile, server)
    const issuer = await createTokenIssuer()
    keys.push(issuer.key)
    login = createLogin({ credentials, passwords, issuer, now })
  }

  const remembered = createRecentMap<string, Caller>(maxRemembered)
  const nothing = { permissions: [], expires: Number.POSITIVE_INFINITY, privacyPublicKey: undefined }
  const anybody: Caller = { ...callerWith(nothing), isAuthenticated: false }

  function callerWith({ permissions, expires, privacyPublicKey }: TokenClaims): Caller {
    const may = createMayCall(permissions)
    return {
      may: isOpen.size === 0 ? may : (method) => isOpen.has(method) || may(method),
      isAuthenticated: true,
      mayAll: (namespace) => mayCallAll(permissions, namespace),
      privacyPublicKey,
      expires: expires * 1000,
    }
  }

  async function verify(authorization: string, token: string): Promise<Caller> {
    const claims = await verifyToken(token, keys, now())
    if (!claims) return anybody
    const caller = callerWith(claims)
    remembered.set(authorization, caller)
    return caller
  }

  return {
    mayAsk: (authorization) => isOpen.size > 0 || hasToken(authorization),
    callerOf(authorization) {
      if (!hasToken(authorization)) return anybody
      // By the header as it is: on a connection it is the same string each time, and a part of it would have to be hashed again.
      const known = remembered.get(authorization)
      if (known && known.expires > now()) return known
      const token = authorization.slice(scheme.length)
      if (!known) return token.length > maxTokenLength ? anybody : verify(authorization, token)
      remembered.delete(authorization)
      return anybody
    },
    isExpired: ({ expires }) => expires <= now(),
    anybody,
    login,
    close: () => passwords.close(),
  }
}

/** Whether a header has a token; as in Besu the word and one blank must be exactly so. */
function hasToken(authorization: string | undefined): authorization is string {
  return authorization !== undefined && authorization.length > scheme.length && authorization.startsWith(scheme)
}
