import { constants } from 'node:crypto'
import type { SecureContextOptions, TLSSocket, TlsOptions as TlsServerOptions } from 'node:tls'
import type { Logger } from '../../system/logger.ts'
import { cipherList, type TlsVersion } from './cipherSuites.ts'
import { filesOf, type IdentityFiles, readCaFile, readIdentity } from './identity.ts'
import { createKnownClients, isKnownClient, readKnownClients } from './knownClients.ts'
import { reloaded, reportReload } from './reloaded.ts'

export interface TlsOptions {
  readonly identity: IdentityFiles
  /** Which clients may connect; undefined if they need no certificate. */
  readonly clients?: ClientOptions | undefined
  readonly versions: readonly TlsVersion[]
  /** Names of cipher suites as in Java; undefined takes the default ones. */
  readonly cipherSuites?: readonly string[] | undefined
}

/** Clients may connect whose certificate is known or was signed by a trusted CA. */
export interface ClientOptions {
  readonly knownClientsFile: string | undefined
  /** PEM files of CAs that are trusted beside those of the keystore; undefined if no CA is trusted. */
  readonly caFiles: readonly string[] | undefined
}

/** The certificate of a server, and who may connect to it; files are read again after they have changed. */
export interface Tls {
  /** Options of the server that do not change. */
  readonly serverOptions: TlsServerOptions
  /** Returns the certificate, the key and what goes with them: another object after the files have changed. */
  context(): SecureContextOptions
  /** Whether the client of a connection may use it. */
  allows(socket: TLSSocket): boolean
  readonly log: Logger
  /** What it was created with. */
  readonly options: TlsOptions
}

/** Reads the files of TLS; throws a `TlsError` if one of them cannot be used. */
export function createTls(options: TlsOptions, log: Logger): Tls {
  const { identity, clients, versions, cipherSuites } = options
  const caFiles = clients?.caFiles ?? []
  const fixed: SecureContextOptions = {
    minVersion: versions.includes('TLSv1.2') ? 'TLSv1.2' : 'TLSv1.3',
    maxVersion: versions.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: cipherList(cipherSuites),
    dhparam: 'auto',
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | (clients ? noResumption : 0),
  }
  const report = reportReload(log)
  const context = reloaded(
    [...filesOf(identity), ...caFiles],
    // An empty list of CAs means none; without a list, Node trusts public CAs.
    () => ({ ...fixed, ...readIdentity(identity), ca: caFiles.map(readCaFile) }),
    report,
  )
  return {
    serverOptions: { requestCert: clients !== undefined, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
    context,
    allows: clients ? createClientCheck(clients, report) : () => true,
    log,
    options,
  }
}

/** A resumed session must not stand for a client certificate: each connection shows its own. */
const noResumption = constants.SSL_OP_NO_TICKET

function createClientCheck(
  { knownClientsFile, caFiles }: ClientOptions,
  report: (files: readonly string[], problem?: Error) => void,
): (socket: TLSSocket) => boolean {
  if (knownClientsFile) createKnownClients(knownClientsFile)
  const known = knownClientsFile && reloaded([knownClientsFile], () => readKnownClients(knownClientsFile), report)
  return (socket) => {
    const certificate = socket.getPeerCertificate()
    // Without a certificate the object is empty.
    if (certificate.raw === undefined) return false
    if (known && isKnownClient(known(), certificate)) return true
    return caFiles !== undefined && socket.authorized
  }
}
