import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEcKey, makeRsaKey, makeToken } from '../../test/support/tokens.ts'
import { type AuthOptions, type Authority, createAuthority } from './authority.ts'
import { maxTokenLength } from './tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-auth-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'rsa.pub')
const rsa = makeRsaKey(file)
const otherRsa = makeRsaKey(join(folder, 'other.pub'))

let time = 1_700_000_000_000
const seconds = (more = 0) => Math.floor(time / 1000) + more
const options: AuthOptions = {
  server: 'HTTP',
  credentialsFile: undefined,
  publicKeyFile: file,
  algorithm: 'RS256',
  openMethods: [],
  now: () => time,
}
let authority: Authority
beforeAll(async () => {
  authority = await createAuthority(options)
})

const callerOf = async (token: string, of = authority) => of.callerOf(`Bearer ${token}`)
const mayCall = async (token: string, method = 'eth_call') => (await callerOf(token)).may(method)
const claims = (more: object = {}) => ({ permissions: ['eth:*'], exp: seconds(300), ...more })

test('a token of the right key lets its caller in', async () => {
  const token = makeToken(claims(), rsa.privateKey)
  expect(await mayCall(token)).toBe(true)
  expect(await mayCall(token, 'net_version')).toBe(false)
})

const none = { typ: 'JWT', alg: 'none' }
const refused: readonly (readonly [what: string, make: () => string])[] = [
  ['of another key', () => makeToken(claims(), otherRsa.privateKey)],
  ['that has expired', () => makeToken(claims({ exp: seconds() }), rsa.privateKey)],
  ['that never expires', () => makeToken(claims({ exp: undefined }), rsa.privateKey)],
  ['that expires at a text', () => makeToken(claims({ exp: `${seconds(300)}` }), rsa.privateKey)],
  ['that is not valid yet', () => makeToken(claims({ nbf: seconds(1) }), rsa.privateKey)],
  ['that was issued in the future', () => makeToken(claims({ iat: seconds(1) }), rsa.privateKey)],
  ['without algorithm', () => makeToken(claims(), undefined, none)],
  ['without algorithm, in other letters', () => makeToken(claims(), undefined, { alg: 'nOnE' })],
  ['without algorithm, signed', () => makeToken(claims(), rsa.privateKey, none, 'RS256')],
  ['signed with the public key as secret', () => makeToken(claims(), rsa.pem, { alg: 'HS256' })],
  ['signed so, under the right name', () => makeToken(claims(), rsa.pem, { alg: 'RS256' }, 'HS256')],
  ['of another size', () => makeToken(claims(), rsa.privateKey, { alg: 'RS512' })],
  ['with what must be understood', () => makeToken(claims(), rsa.privateKey, { alg: 'RS256', crit: ['x'], x: 1 })],
  [
    'whose payload is not encoded',
    () => makeToken(claims(), rsa.privateKey, { alg: 'RS256', b64: false, crit: ['b64'] }),
  ],
  ['of which the signature was cut off', () => makeToken(claims(), undefined)],
  ['that is too long', () => makeToken(claims({ more: 'x'.repeat(maxTokenLength) }), rsa.privateKey)],
  ['of one part', () => 'x'],
  ['of empty parts', () => '..'],
  ['twice', () => `${makeToken(claims(), rsa.privateKey)},Bearer ${makeToken(claims(), rsa.privateKey)}`],
]
test.each(refused)('a token %s is refused', async (_, make) => {
  expect(await callerOf(make())).toBe(authority.anybody)
})

test('a token whose claims were changed is refused', async () => {
  const [head, , signature] = makeToken(claims(), rsa.privateKey).split('.')
  const changed = Buffer.from(JSON.stringify(claims({ permissions: ['*:*'] }))).toString('base64url')
  expect(await callerOf(`${head}.${changed}.${signature}`)).toBe(authority.anybody)
})

test('a token that was seen is valid until it expires', async () => {
  const token = makeToken(claims({ exp: seconds(10) }), rsa.privateKey)
  const caller = await callerOf(token)
  // Once verified, a token needs no promise.
  expect(authority.callerOf(`Bearer ${token}`)).toBe(caller)
  time += 10_000
  expect(authority.isExpired(caller)).toBe(true)
  expect(await callerOf(token)).toBe(authority.anybody)
})

test.each([
  ['RS384', undefined],
  ['RS512', undefined],
  ['ES256', 'prime256v1'],
  ['ES384', 'secp384r1'],
  ['ES512', 'secp521r1'],
] as const)('%s', async (algorithm, curve) => {
  const path = join(folder, algorithm)
  const { privateKey } = curve === undefined ? makeRsaKey(path) : makeEcKey(path, curve)
  const own = await createAuthority({ ...options, publicKeyFile: path, algorithm })
  expect((await callerOf(makeToken(claims(), privateKey, { alg: algorithm }), own)).may('eth_call')).toBe(true)
  expect(await callerOf(makeToken(claims(), rsa.privateKey), own)).toBe(own.anybody)
})

describe('the header', () => {
  test.each([[undefined], ['Bearer'], ['Bearer '], ['bearer x'], ['Basic x'], ['x']])('%j has no token', (header) => {
    expect(authority.mayAsk(header)).toBe(false)
    expect(authority.callerOf(header)).toBe(authority.anybody)
  })
  test('need not have one for open methods, which every caller may call', async () => {
    const own = await createAuthority({ ...options, openMethods: ['net_version'] })
    expect(own.mayAsk(undefined)).toBe(true)
    expect(own.anybody.may('net_version')).toBe(true)
    expect(own.anybody.may('net_enode')).toBe(false)
    const caller = await callerOf(makeToken(claims({ permissions: [] }), rsa.privateKey), own)
    expect([caller.may('net_version'), caller.may('eth_call')]).toEqual([true, false])
  })
})

describe('a public key', () => {
  const create = (more: Partial<AuthOptions>) => createAuthority({ ...options, ...more })
  test.each([
    ['is missing', { publicKeyFile: join(folder, 'missing') }, 'Authentication RPC public key could not be read'],
    ['is of another kind', { algorithm: 'ES256' }, 'does not fit the algorithm ES256'],
  ] as const)('that %s stops the start', async (_, more, want) => {
    await expect(create(more)).rejects.toThrow(want)
  })
  test('of another curve stops the start', async () => {
    const path = join(folder, 'p384')
    makeEcKey(path, 'secp384r1')
    await expect(create({ publicKeyFile: path, algorithm: 'ES256' })).rejects.toThrow('of the curve prime256v1')
  })
})
