import { expect, test } from 'vitest'
import { holdsSecret } from './hideSecrets.ts'

test.each([
  [['password', 'hash', '--password=p'], true],
  [['password', 'hash', '--password', 'p'], true],
  [['--dev-mnemonic=a b c'], true],
  [['--rpc-ws-ssl-keystore-password=p'], true],
  [['signer', '--password-file=f'], false],
  [['--rpc-http-tls-keystore-password-file=f', 'password', 'hash'], false],
])('%j', (argv, expected) => expect(holdsSecret(argv)).toBe(expected))
