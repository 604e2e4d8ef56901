import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAuthority } from './authority.ts'
import { openCredentials, parseUsers } from './credentials.ts'
import { createLogin, type Login } from './login.ts'
import { createPasswordChecker, hashPassword, nobodysHash } from './passwords.ts'
import { createTokenIssuer } from './tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-login-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'users.toml')
const [hash, issuer] = await Promise.all([hashPassword('correct horse'), createTokenIssuer()])
const users = `[Users.root]\npassword = "${hash}"\npermissions = ["*:*"]\n[Users.plain]\npassword = "plain"\n`

/** What was compared. */
const compared: (readonly [string, string])[] = []
const passwords = {
  async check(password: string, hash: string) {
    compared.push([password, hash])
    return password === 'correct horse'
  },
}
let login: Login
beforeEach(() => {
  writeFileSync(file, users)
  compared.length = 0
  login = createLogin({ credentials: openCredentials(file, 'HTTP'), passwords, issuer, now: Date.now })
})

const incorrect = 'Authentication failed: the username or password is incorrect.'
const required = 'Authentication failed: username and password are required.'

test('name and password give a token', async () => {
  const { status, type, body } = await login({ username: 'root', password: 'correct horse' })
  expect([status, type]).toEqual([200, 'application/json'])
  const [head, claims] = JSON.parse(body)
    .token.split('.')
    .map((part: string) => Buffer.from(part, 'base64url').toString())
  expect(JSON.parse(head)).toEqual({ typ: 'JWT', alg: 'RS256' })
  const { iat, exp, ...others } = JSON.parse(claims)
  expect([exp - iat, others]).toEqual([300, { username: 'root', permissions: ['*:*'] }])
})

test.each([
  ['a wrong password', { username: 'root', password: 'wrong' }],
  ['a user who is unknown', { username: 'nobody', password: 'correct horse' }],
  ['a user in other letters', { username: 'ROOT', password: 'correct horse' }],
  ['a member of objects', { username: '__proto__', password: 'correct horse' }],
  ['a user whose password is not hashed', { username: 'plain', password: 'plain' }],
  ['a number', { username: 5, password: 'correct horse' }],
  ['a list', { username: 'root', password: ['correct horse'] }],
])('%s is refused after one comparison with the hash of a user', async (_, body) => {
  expect(await login(body)).toEqual({ status: 401, type: 'text/plain', body: incorrect })
  expect(compared.map(([, hash]) => hash)).toEqual([hash])
})

test('without users, one comparison is made too', async () => {
  writeFileSync(file, 'not TOML')
  expect((await login({ username: 'root', password: 'correct horse' })).status).toBe(401)
  expect(compared.map(([, hash]) => hash)).toEqual([nobodysHash])
})

test.each([[undefined], [null], ['x'], [[]], [{}], [{ username: 'root' }], [{ username: 'root', password: null }]])(
  '%j lacks a name or a password',
  async (body) => {
    expect(await login(body)).toEqual({ status: 400, type: 'text/plain', body: required })
    expect(compared).toEqual([])
  },
)

test('a user who is removed from the file is refused', async () => {
  writeFileSync(file, users.replace('root', 'other'))
  expect((await login({ username: 'root', password: 'correct horse' })).status).toBe(401)
})

test('the thread compares, and refuses more than it can do soon', async () => {
  const checker = createPasswordChecker()
  const fits = await Promise.all([checker.check('correct horse', hash), checker.check('wrong', hash)])
  expect(fits).toEqual([true, false])
  const many = Array.from({ length: 33 }, () => checker.check('wrong', hash))
  expect(await many[32]).toBe(undefined)
  await checker.close()
  expect((await Promise.all(many)).includes(true)).toBe(false)
})

test('tokens of one server are refused at another', async () => {
  const options = { credentialsFile: file, publicKeyFile: undefined, algorithm: 'RS256', openMethods: [] } as const
  const open = (server: 'HTTP' | 'WS') =>
    createAuthority({ ...options, server, passwords: { ...passwords, close: async () => {} } })
  const [one, other] = await Promise.all([open('HTTP'), open('WS')])
  const { body } = await one.login!({ username: 'root', password: 'correct horse' })
  const header = `Bearer ${JSON.parse(body).token}`
  expect((await one.callerOf(header)).may('eth_call')).toBe(true)
  expect(await other.callerOf(header)).toBe(other.anybody)
})

test.each([
  ['empty', ' \n', 'Invalid RPC HTTP authentication credentials file: Empty TOML result'],
  ['not TOML', '[Users.root\npassword="secret"', 'Invalid TOML configuration (line 1'],
  ['without users', 'a = 1', 'the table Users is missing'],
  ['with a user without password', '[Users.a]\npermissions=["eth:*"]', 'RPC user specified without password.'],
  ['with an empty password', '[Users.a]\npassword=""', 'RPC user specified without password.'],
  ['with one permission', '[Users.a]\npassword="x"\npermissions="eth:*"', 'contains invalid values.'],
  ['with no permission', '[Users.a]\npassword="x"\npermissions=[]', 'contains invalid values.'],
])('a file %s is refused', (_, text, want) => {
  expect(() => parseUsers(text, 'HTTP')).toThrow(want)
  expect(() => parseUsers(text, 'HTTP')).not.toThrow('secret')
})

test('a file that is missing is refused', () => {
  expect(() => openCredentials(join(folder, 'missing'), 'WS')).toThrow(
    `The specified RPC WS authentication credential file '${join(folder, 'missing')}' does not exist`,
  )
})
