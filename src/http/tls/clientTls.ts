import { Agent } from 'node:https'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Logger } from '../../system/logger.ts'
import { TlsError } from './fault.ts'
import { readIdentity } from './identity.ts'
import { isKnownServer, readKnownServers } from './knownClients.ts'
import { reloaded, reportReload } from './reloaded.ts'

export interface ClientTlsOptions {
  /** PKCS#12 keystore with the certificate that is shown to the server, and the file of its password. */
  readonly identity?: { readonly keystore: string; readonly password: string } | undefined
  /** File of the servers that are trusted; undefined trusts public CAs. */
  readonly knownServersFile?: string | undefined
}

const minVersion = 'TLSv1.2'

/** Connects over TLS, and keeps connections; throws a `TlsError` if a file cannot be used. */
export function createTlsAgent({ identity, knownServersFile }: ClientTlsOptions, log: Logger): Agent {
  const shown = identity && readIdentity({ kind: 'PKCS12', ...identity })
  const agent = new Agent({ keepAlive: true, minVersion, ...shown })
  if (knownServersFile === undefined) return agent
  const known = reloaded([knownServersFile], () => readKnownServers(knownServersFile), reportReload(log))
  // Nothing is sent before the certificate was looked at: a known one may be signed by anybody, or by itself.
  agent.createConnection = (options, done) => {
    const { host, port } = options as { readonly host: string; readonly port: number }
    const servername = isIP(host) ? '' : host
    const socket = connect({ ...shown, host, port, servername, minVersion, rejectUnauthorized: false }, () => {
      socket.off('error', fail)
      const { fingerprint256 } = socket.getPeerCertificate()
      if (isKnownServer(known(), `${host}:${port}`, fingerprint256)) return done?.(null, socket)
      socket.destroy()
      fail(
        new TlsError({ code: 'TLS_FILE', path: knownServersFile, reason: `${host}:${port} shows another certificate` }),
      )
    })
    // The type wants a connection, which is of no use yet.
    const fail = (error: Error) => done?.(error, socket)
    socket.once('error', fail)
    return undefined
  }
  return agent
}
