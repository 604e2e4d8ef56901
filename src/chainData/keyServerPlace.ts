import { failed } from '../config/fault.ts'
import type { Config } from '../config/options.ts'
import { createTlsAgent } from '../http/tls/clientTls.ts'
import { TlsError } from '../http/tls/fault.ts'
import type { IdentityFiles } from '../http/tls/identity.ts'
import type { KeyServerPlace } from '../keyServer/remoteKey.ts'
import type { Logger } from '../system/logger.ts'

/** Where the options say that the key server is; undefined if the key of the node is in a file. */
export function keyServerPlaceOf(config: Config, log: Logger): KeyServerPlace | undefined {
  if (config['security-module'] !== 'key-server') return undefined
  const at = config['key-server-url']
  if (at === undefined) throw failed('--security-module=key-server needs --key-server-url')
  const url = new URL(at)
  if (url.protocol === 'http:') return { url, tls: undefined }
  try {
    const tls = createTlsAgent(
      {
        identity: identityOf(config),
        caFile: config['key-server-tls-ca-file'],
        knownServersFile: config['key-server-tls-known-servers-file'],
      },
      log,
    )
    return { url, tls }
  } catch (error) {
    if (error instanceof TlsError) throw failed(`TLS of the key server: ${error.message}`, error)
    throw error
  }
}

function identityOf(config: Config): IdentityFiles | undefined {
  const [certificate, key] = [config['key-server-tls-certificate-file'], config['key-server-tls-key-file']]
  if (certificate !== undefined && key !== undefined) return { kind: 'PEM', certificate, key }
  const [keystore, password] = [config['key-server-tls-keystore-file'], config['key-server-tls-keystore-password-file']]
  return keystore !== undefined && password !== undefined ? { kind: 'PKCS12', keystore, password } : undefined
}
