import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTls, type Tls, type TlsOptions } from '../../src/http/tls/createTls.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import type { Logger } from '../../src/system/logger.ts'
import { createSilentLogs } from './silentLogs.ts'

/** The path of a file of test/fixtures/tls. */
export const tlsFile = (name: string) => join(packageRoot, 'test/fixtures/tls', name)

/** The text of a file of test/fixtures/tls. */
export const tlsText = (name: string) => readFileSync(tlsFile(name), 'utf8')

/** TLS with the certificate of the fixtures. */
export function fixtureTls(options: Partial<TlsOptions> = {}, log: Logger = createSilentLogs()): Tls {
  const identity = { kind: 'PEM', certificate: tlsFile('server.crt'), key: tlsFile('server.key') } as const
  return createTls({ identity, versions: ['TLSv1.3', 'TLSv1.2'], ...options }, log)
}
