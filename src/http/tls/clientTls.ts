import { Agent } from 'node:https'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Logger } from '../../system/logger.ts'
import { TlsError } from './fault.ts'
import { type IdentityFiles, readCaFile, readIdentity } from './identity.ts'
import { isKnownServer, readKnownServers } from './knownClients.ts'
import { reloaded, reportReload } from './reloaded.ts'

export interface ClientTlsOptions {
  /** The certificate that is shown to the server. */
  readonly identity?: IdentityFiles | undefined
  /** PEM file of the CAs that are trusted instead of public ones. */
  readonly caFile?: string | undefined
  /** File of the servers that are trusted; undefined trusts CAs. */
  readonly knownServersFile?: string | undefined
}

const minVersion = 'TLSv1.2'

/** Connects over TLS, and keeps connections; throws a `TlsError` if a file cannot be used. */
export function createTlsAgent({ identity, caFile, knownServersFile }: ClientTlsOptions, log: Logger): Agent {
  const shown = {
    ...(identity && readIdentity(identity)),
    ...(caFile !== undefined && { ca: readCaFile(caFile) }),
  }
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
