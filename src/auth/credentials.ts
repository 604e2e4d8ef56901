import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { AuthError, type AuthServer } from './fault.ts'

/** A user of the credentials file. */
export interface User {
  readonly name: string
  /** BCrypt hash. */
  readonly passwordHash: string
  readonly permissions: readonly string[]
  /** The user's key at the private transaction manager. */
  readonly privacyPublicKey: string | undefined
}

/** Users by name. */
export type Users = ReadonlyMap<string, User>

/** The users of one server. */
export interface Credentials {
  /** Reads the file again, so that changes need no restart; empty if the file is gone or invalid. */
  users(): Promise<Users>
}

/** Checks a credentials file, in Besu's TOML format; throws an AuthError if a node must not start with it. */
export function openCredentials(path: string, server: AuthServer): Credentials {
  parseUsers(readNow(path, server), server)
  return {
    async users() {
      try {
        return parseUsers(await readFile(path, 'utf8'), server)
      } catch {
        return new Map()
      }
    },
  }
}

function readNow(path: string, server: AuthServer): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new AuthError({ code: 'CREDENTIALS_MISSING', server, path }, error)
    throw new AuthError({ code: 'CREDENTIALS_INVALID', server, reason: message }, error)
  }
}

/** Returns the users in the text of a credentials file. */
export function parseUsers(text: string, server: AuthServer): Users {
  const invalid = (reason: string, cause?: unknown) =>
    new AuthError({ code: 'CREDENTIALS_INVALID', server, reason }, cause)
  if (text.trim() === '') throw invalid('Empty TOML result')
  let file: TomlTable
  try {
    file = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The message of the parser shows the line, which may be a password.
    throw invalid(`Invalid TOML configuration (line ${error.line}, column ${error.column})`)
  }
  const tables = file['Users']
  if (!isTable(tables)) throw invalid('the table Users is missing, as in [Users.alice]')
  return new Map(Object.entries(tables).map(([name, table]) => [name, userOf(name, table)]))
}

function userOf(name: string, table: TomlValue): User {
  if (!isTable(table)) throw new AuthError({ code: 'USER_INVALID' })
  const { password, privacyPublicKey, ...lists } = table
  if (password === undefined || password === '') throw new AuthError({ code: 'PASSWORD_MISSING' })
  const isKey = privacyPublicKey === undefined || isText(privacyPublicKey)
  if (!isText(password) || !isKey || !Object.values(lists).every(isList)) throw new AuthError({ code: 'USER_INVALID' })
  const permissions = (lists['permissions'] ?? []) as readonly TomlValue[]
  return { name, passwordHash: password, permissions: permissions.filter(isText), privacyPublicKey }
}

function isText(value: TomlValue): value is string {
  return typeof value === 'string' && value !== ''
}

function isList(value: TomlValue): boolean {
  return Array.isArray(value) && value.length > 0
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}
