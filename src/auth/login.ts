import { isJsonObject, type JsonObject } from '../primitives/json.ts'
import type { Credentials, User, Users } from './credentials.ts'
import { isPasswordHash, nobodysHash, type PasswordChecker } from './passwords.ts'
import type { TokenIssuer } from './tokens.ts'

/** The response to a login. */
export interface LoginReply {
  readonly status: 200 | 400 | 401 | 429
  readonly type: 'application/json' | 'text/plain'
  readonly body: string
}

/** Answers the body of a login: `{"username": …, "password": …}`. */
export type Login = (body: unknown) => Promise<LoginReply>

export interface LoginParts {
  readonly credentials: Credentials
  readonly passwords: Pick<PasswordChecker, 'check'>
  readonly issuer: TokenIssuer
  /** Milliseconds since 1970. */
  now(): number
}

function refuse(status: 400 | 401 | 429, reason: string): LoginReply {
  return { status, type: 'text/plain', body: `Authentication failed: ${reason}` }
}

/** Logs users in. Whatever is wrong with name and password, one comparison is made, so that the time says nothing. */
export function createLogin({ credentials, passwords, issuer, now }: LoginParts): Login {
  return async (body) => {
    const { username, password } = (isJsonObject(body) ? body : {}) as JsonObject
    if (username == null || password == null) return refuse(400, 'username and password are required.')
    const users = await credentials.users()
    const user = typeof username === 'string' && typeof password === 'string' ? find(users, username) : undefined
    const given = typeof password === 'string' ? password : ''
    const fits = await passwords.check(given, user?.passwordHash ?? otherHash(users))
    if (fits === undefined) return refuse(429, 'too many logins at once, try again.')
    if (!user || !fits) return refuse(401, 'the username or password is incorrect.')
    return { status: 200, type: 'application/json', body: JSON.stringify({ token: await issuer.issue(user, now()) }) }
  }
}

/** A user whose password can be checked: a plain password instead of its hash would fail at once. */
function find(users: Users, name: string): User | undefined {
  const user = users.get(name)
  return user && isPasswordHash(user.passwordHash) ? user : undefined
}

/** A hash of the same cost as those of the users. */
function otherHash(users: Users): string {
  for (const { passwordHash } of users.values()) if (isPasswordHash(passwordHash)) return passwordHash
  return nobodysHash
}
