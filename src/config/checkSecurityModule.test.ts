import { expect, test } from 'vitest'
import { checkConfig } from './checkConfig.ts'
import { resolveConfig } from './resolveConfig.ts'

const check = (given: Record<string, string>) => checkConfig(resolveConfig(new Map(Object.entries(given)), {}))
const server = { 'security-module': 'key-server', 'key-server-url': 'https://keys.example:8560' }
const pem = { 'key-server-tls-certificate-file': 'node.crt', 'key-server-tls-key-file': 'node.key' }
const pkcs12 = { 'key-server-tls-keystore-file': 'node.p12', 'key-server-tls-keystore-password-file': 'password' }

const tokenKey = { 'security-module': 'pkcs11', 'pkcs11-key-label': 'validator' }
const token = { ...tokenKey, 'pkcs11-library': 'lib.so', 'pkcs11-token': 'validators' }

test.each<[string, Record<string, string>]>([
  ['PEM files', { ...server, ...pem }],
  ['a keystore', { ...server, ...pkcs12, 'key-server-tls-known-servers-file': 'servers' }],
  ['http on this machine', { ...server, 'key-server-url': 'http://127.0.0.1:8560' }],
  ['http on this machine by name', { ...server, 'key-server-url': 'http://localhost:8560' }],
  ['a file', { 'security-module': 'localfile', 'node-private-key-file': 'key' }],
  ['a token', token],
  ['a token by its slot', { ...tokenKey, 'pkcs11-library': 'lib.so', 'pkcs11-slot': '0', 'pkcs11-pin-file': 'pin' }],
  ['a token by a file', { ...tokenKey, 'pkcs11-config-file': 'pkcs11.cfg' }],
])('a key with %s', (_, given) => {
  expect(() => check(given)).not.toThrow()
})

test.each<[Record<string, string>, string]>([
  [{ 'security-module': 'key-server' }, '--security-module=key-server needs --key-server-url'],
  [{ 'key-server-url': 'http://127.0.0.1:1' }, '--key-server-url needs --security-module=key-server'],
  [{ ...server }, 'needs a certificate of this node'],
  [{ ...server, 'key-server-url': 'http://10.0.0.1:8560' }, 'must be an https address'],
  [{ ...server, ...pem, ...pkcs12 }, "can't be used at the same time"],
  [{ ...server, ...pem, 'key-server-tls-keystore-file': 'x' }, 'are required together'],
  [{ ...server, 'key-server-tls-key-file': 'x' }, 'are required together'],
  [{ ...server, ...pem, 'node-private-key-file': 'key' }, "--node-private-key-file can't be used with"],
  [{ ...token, 'node-private-key-file': 'key' }, "--node-private-key-file can't be used with --security-module=pkcs11"],
  [{ ...token, 'key-server-url': 'http://127.0.0.1:1' }, '--key-server-url needs --security-module=key-server'],
  [{ 'pkcs11-key-label': 'x' }, '--pkcs11-key-label needs --security-module=pkcs11'],
  [{ 'security-module': 'hsm' }, '--security-module=pkcs11 needs --pkcs11-key-label'],
  [{ 'security-module': 'hsm' }, '--security-module=pkcs11 needs --pkcs11-library'],
  [{ 'security-module': 'pkcs11' }, '--security-module=pkcs11 needs --pkcs11-token or --pkcs11-slot'],
  [{ ...token, 'pkcs11-slot': '1' }, "--pkcs11-token and --pkcs11-slot can't be used at the same time"],
  [{ ...token, 'pkcs11-config-file': 'x' }, "--pkcs11-library can't be used with --pkcs11-config-file"],
])('%j is refused', (given, problem) => {
  expect(() => check(given)).toThrow(problem)
})
