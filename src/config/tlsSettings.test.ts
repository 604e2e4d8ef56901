import { describe, expect, test } from 'vitest'
import { checkConfig } from './checkConfig.ts'
import { resolveConfig } from './resolveConfig.ts'
import { ignoredTlsOptions, tlsOptionsOf } from './tlsSettings.ts'

const resolve = (given: Readonly<Record<string, string>>) => resolveConfig(new Map(Object.entries(given)), {})
const check = (given: Readonly<Record<string, string>>) => () => checkConfig(resolve(given))
const named = (prefix: string, given: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [`${prefix}-${name}`, value]))

const keystore = { enabled: 'true', 'keystore-file': 's.p12', 'keystore-password-file': 'password' }

describe.each([
  ['rpc-http-tls', 'JSON-RPC HTTP'],
  ['graphql-http-tls', 'GraphQL HTTP'],
  ['rpc-ws-ssl', 'JSON-RPC WebSocket'],
])('--%s', (prefix, title) => {
  const [certificate, key] = prefix === 'rpc-ws-ssl' ? ['cert-file', 'key-file'] : ['certificate-file', 'key-file']
  test.each<[string, Record<string, string>, string]>([
    ['nothing', { enabled: 'true' }, `Keystore file is required when TLS is enabled for ${title} endpoint`],
    [
      'a keystore alone',
      { enabled: 'true', 'keystore-file': 's.p12' },
      `File containing password to unlock keystore is required when TLS is enabled for ${title} endpoint`,
    ],
    ['a certificate without key', { enabled: 'true', [certificate]: 's.crt' }, 'are required together'],
    ['a keystore and PEM', { ...keystore, [certificate]: 's.crt', [key]: 's.key' }, "can't be used at the same time"],
    [
      'client certificates of nobody',
      { ...keystore, 'client-auth-enabled': 'true' },
      'Known-clients file must be specified or CA clients must be enabled when TLS client authentication is enabled ' +
        `for ${title} endpoint`,
    ],
    [
      'no version that can be used',
      { ...keystore, protocols: 'TLSv1.1,SSLv3' },
      'No valid TLS protocols specified (the following protocols are enabled: [TLSv1.3, TLSv1.2])',
    ],
    [
      'an unknown cipher suite',
      { ...keystore, 'cipher-suites': 'TLS_AES_128_GCM_SHA256,NONSENSE' },
      'Invalid TLS cipher suite specified NONSENSE',
    ],
    [
      'a cipher suite without forward secrecy',
      { ...keystore, 'cipher-suites': 'TLS_RSA_WITH_AES_128_CBC_SHA' },
      'Invalid TLS cipher suite specified TLS_RSA_WITH_AES_128_CBC_SHA',
    ],
    [
      'a cipher suite of another version',
      { ...keystore, protocols: 'TLSv1.2', 'cipher-suites': 'TLS_AES_128_GCM_SHA256' },
      'None of the cipher suites can be used with TLSv1.2',
    ],
  ])('%s is refused', (_, given, message) => {
    expect(check(named(prefix, given))).toThrow(message)
  })

  test('a keystore, or PEM, is enough', () => {
    expect(check(named(prefix, keystore))).not.toThrow()
    expect(check(named(prefix, { enabled: 'true', [certificate]: 's.crt', [key]: 's.key' }))).not.toThrow()
  })

  test('what is set while TLS is off is named and ignored', () => {
    const given = named(prefix, { 'keystore-file': 'none', 'client-auth-enabled': 'true' })
    expect(check(given)).not.toThrow()
    expect(ignoredTlsOptions(resolve(given).config)).toEqual([
      `--${prefix}-keystore-file, --${prefix}-client-auth-enabled has been ignored because --${prefix}-enabled ` +
        'was not defined on the command line.',
    ])
  })

  test('known clients are ignored where clients need no certificate', () => {
    const { config } = resolve(named(prefix, { ...keystore, 'known-clients-file': 'known' }))
    expect(ignoredTlsOptions(config)).toEqual([
      `--${prefix}-known-clients-file has been ignored because --${prefix}-client-auth-enabled ` +
        'was not defined on the command line.',
    ])
  })
})

test('nothing is ignored by default, and TLS is off', () => {
  const { config } = resolve({})
  expect(ignoredTlsOptions(config)).toEqual([])
  for (const server of ['rpc-http', 'rpc-ws', 'graphql-http'] as const)
    expect(tlsOptionsOf(config, server)).toBeUndefined()
})

test('TLS of a server that is off is not checked', () => {
  expect(check({ 'rpc-http-tls-enabled': 'true', 'rpc-http-enabled': 'false' })).not.toThrow()
})

test('versions that are unknown or too old are dropped, and so are the suites of versions that are off', () => {
  const suites = 'TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'
  const given = { ...keystore, protocols: 'TLSv1.3,TLSv1.1,TLSv9', 'cipher-suites': suites }
  expect(tlsOptionsOf(resolve(named('rpc-http-tls', given)).config, 'rpc-http')).toEqual({
    identity: { kind: 'PKCS12', keystore: 's.p12', password: 'password' },
    clients: undefined,
    versions: ['TLSv1.3'],
    cipherSuites: ['TLS_AES_128_GCM_SHA256'],
  })
})

test('the CAs of WebSocket clients are in a PEM file', () => {
  const pem = { enabled: 'true', 'cert-file': 's.crt', 'key-file': 's.key', 'keystore-type': 'PEM' }
  const given = named('rpc-ws-ssl', { ...pem, 'client-auth-enabled': 'true', 'trustcert-file': 'ca.crt' })
  expect(check(given)).not.toThrow()
  expect(tlsOptionsOf(resolve(given).config, 'rpc-ws')).toMatchObject({
    identity: { kind: 'PEM', certificate: 's.crt', key: 's.key' },
    clients: { knownClientsFile: undefined, caFiles: ['ca.crt'] },
  })
  expect(check({ ...given, 'rpc-ws-ssl-keystore-type': 'PKCS12' })).toThrow('are required together')
})
