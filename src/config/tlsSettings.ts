import { isCipherSuite, suitesOfVersions, type TlsVersion, tlsVersions } from '../http/tls/cipherSuites.ts'
import type { ClientOptions, TlsOptions } from '../http/tls/createTls.ts'
import type { IdentityFiles } from '../http/tls/identity.ts'
import type { Config } from './options.ts'

/** A server that can speak TLS. */
export type TlsServer = 'rpc-http' | 'rpc-ws' | 'graphql-http'

/** The TLS options of one server, under the same names for all of them. */
interface TlsSettings {
  readonly enabled: boolean
  readonly keystore: string | undefined
  readonly password: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
  readonly clientAuth: boolean
  readonly knownClients: string | undefined
  /** Whether client certificates of CAs are taken. */
  readonly caClients: boolean
  /** PEM file of CAs. */
  readonly caFile: string | undefined
  readonly protocols: readonly string[] | undefined
  readonly cipherSuites: readonly string[] | undefined
}

/** Names of the options as messages show them. */
type Names = Readonly<Record<Exclude<keyof TlsSettings, 'caFile'>, string>>

interface Family {
  /** The server as messages name it. */
  readonly title: string
  readonly names: Names
  settings(config: Config): TlsSettings
}

function httpFamily(server: 'rpc-http' | 'graphql-http', title: string): Family {
  return {
    title,
    names: {
      enabled: `--${server}-tls-enabled`,
      keystore: `--${server}-tls-keystore-file`,
      password: `--${server}-tls-keystore-password-file`,
      certificate: `--${server}-tls-certificate-file`,
      key: `--${server}-tls-key-file`,
      clientAuth: `--${server}-tls-client-auth-enabled`,
      knownClients: `--${server}-tls-known-clients-file`,
      caClients: `--${server}-tls-ca-clients-enabled`,
      protocols: `--${server}-tls-protocols`,
      cipherSuites: `--${server}-tls-cipher-suites`,
    },
    settings: (config) => ({
      enabled: config[`${server}-tls-enabled`],
      keystore: config[`${server}-tls-keystore-file`],
      password: config[`${server}-tls-keystore-password-file`],
      certificate: config[`${server}-tls-certificate-file`],
      key: config[`${server}-tls-key-file`],
      clientAuth: config[`${server}-tls-client-auth-enabled`],
      knownClients: config[`${server}-tls-known-clients-file`],
      caClients: config[`${server}-tls-ca-clients-enabled`],
      // What operators of Node.js use in place of Java's trust store.
      caFile: process.env['NODE_EXTRA_CA_CERTS'] || undefined,
      protocols: config[`${server}-tls-protocols`],
      cipherSuites: config[`${server}-tls-cipher-suites`],
    }),
  }
}

const families: Readonly<Record<TlsServer, Family>> = {
  'rpc-http': httpFamily('rpc-http', 'JSON-RPC HTTP'),
  'graphql-http': httpFamily('graphql-http', 'GraphQL HTTP'),
  'rpc-ws': {
    title: 'JSON-RPC WebSocket',
    names: {
      enabled: '--rpc-ws-ssl-enabled',
      keystore: '--rpc-ws-ssl-keystore-file',
      password: '--rpc-ws-ssl-keystore-password-file',
      certificate: '--rpc-ws-ssl-cert-file',
      key: '--rpc-ws-ssl-key-file',
      clientAuth: '--rpc-ws-ssl-client-auth-enabled',
      knownClients: '--rpc-ws-ssl-known-clients-file',
      caClients: '--rpc-ws-ssl-trustcert-file',
      protocols: '--rpc-ws-ssl-protocols',
      cipherSuites: '--rpc-ws-ssl-cipher-suites',
    },
    settings: (config) => ({
      enabled: config['rpc-ws-ssl-enabled'],
      keystore: config['rpc-ws-ssl-keystore-file'],
      password: config['rpc-ws-ssl-keystore-password-file'],
      certificate: config['rpc-ws-ssl-cert-file'],
      key: config['rpc-ws-ssl-key-file'],
      clientAuth: config['rpc-ws-ssl-client-auth-enabled'],
      knownClients: config['rpc-ws-ssl-known-clients-file'],
      caClients: config['rpc-ws-ssl-trustcert-file'] !== undefined,
      caFile: config['rpc-ws-ssl-trustcert-file'],
      protocols: config['rpc-ws-ssl-protocols'],
      cipherSuites: config['rpc-ws-ssl-cipher-suites'],
    }),
  },
}

const isVersion = (name: string): name is TlsVersion => (tlsVersions as readonly string[]).includes(name)

function versionsOf({ protocols }: TlsSettings): readonly TlsVersion[] {
  return protocols?.filter(isVersion) ?? tlsVersions
}

/** The problems of the TLS options of a server; empty if TLS is off. */
export function tlsProblems(config: Config, server: TlsServer): string[] {
  const { title, names, settings } = families[server]
  const tls = settings(config)
  if (!tls.enabled) return []
  const versions = versionsOf(tls)
  return [
    ...identityProblems(config, server),
    ...(tls.clientAuth && tls.knownClients === undefined && !tls.caClients
      ? [
          'Known-clients file must be specified or CA clients must be enabled when TLS client authentication is enabled ' +
            `for ${title} endpoint: see ${names.knownClients} and ${names.caClients}`,
        ]
      : []),
    ...(versions.length === 0
      ? [`No valid TLS protocols specified (the following protocols are enabled: [${tlsVersions.join(', ')}])`]
      : suiteProblems(tls.cipherSuites, versions)),
  ]
}

function identityProblems(config: Config, server: TlsServer): string[] {
  const { title, names, settings } = families[server]
  const { keystore, password, certificate, key } = settings(config)
  const isPem = certificate !== undefined || key !== undefined
  const isKeystore = keystore !== undefined || password !== undefined
  const type = server === 'rpc-ws' ? config['rpc-ws-ssl-keystore-type'] : undefined
  if (isPem && isKeystore) return [`${names.certificate} and ${names.keystore} can't be used at the same time`]
  if (isPem || type === 'PEM') {
    if (certificate !== undefined && key !== undefined && type !== 'PKCS12') return []
    return [`${names.certificate} and ${names.key} are required together when TLS is enabled for ${title} endpoint`]
  }
  if (keystore === undefined)
    return [
      `Keystore file is required when TLS is enabled for ${title} endpoint: ` +
        `see ${names.keystore}, or ${names.certificate} for PEM`,
    ]
  return password === undefined
    ? [
        'File containing password to unlock keystore is required when TLS is enabled ' +
          `for ${title} endpoint: see ${names.password}`,
      ]
    : []
}

function suiteProblems(suites: readonly string[] | undefined, versions: readonly TlsVersion[]): string[] {
  if (suites === undefined) return []
  const wrong = suites.filter((name) => !isCipherSuite(name))
  if (wrong.length) return wrong.map((name) => `Invalid TLS cipher suite specified ${name}`)
  return versions
    .filter((version) => versions.length === 1 && suitesOfVersions(suites, [version]).length === 0)
    .map((version) => `None of the cipher suites can be used with ${version}`)
}

/** TLS options that are set without effect, as lines of Besu's form. */
export function ignoredTlsOptions(config: Config): string[] {
  return Object.values(families).flatMap(({ names, settings }) => {
    const { enabled, ...others } = settings(config)
    const isSet = (name: Exclude<keyof Names, 'enabled'>) => others[name] !== undefined && others[name] !== false
    const set = (Object.keys(names) as (keyof Names)[]).filter((name) => name !== 'enabled').filter(isSet)
    const line = (ignored: readonly (keyof Names)[], missing: string) =>
      ignored.length
        ? [
            `${ignored.map((name) => names[name]).join(', ')} has been ignored because ${missing} ` +
              'was not defined on the command line.',
          ]
        : []
    if (!enabled) return line(set, names.enabled)
    if (others.clientAuth) return []
    return line(
      set.filter((name) => name === 'knownClients' || name === 'caClients'),
      names.clientAuth,
    )
  })
}

/** The TLS options of a server in the form that it takes; undefined if TLS is off. `tlsProblems` must be empty. */
export function tlsOptionsOf(config: Config, server: TlsServer): TlsOptions | undefined {
  const tls = families[server].settings(config)
  if (!tls.enabled) return undefined
  const { keystore, password, certificate, key, caFile } = tls
  const identity: IdentityFiles =
    keystore === undefined
      ? { kind: 'PEM', certificate: certificate!, key: key! }
      : { kind: 'PKCS12', keystore, password: password! }
  const clients: ClientOptions = {
    knownClientsFile: tls.knownClients,
    caFiles: tls.caClients ? [caFile].filter((file) => file !== undefined) : undefined,
  }
  return {
    identity,
    clients: tls.clientAuth ? clients : undefined,
    versions: versionsOf(tls),
    cipherSuites: tls.cipherSuites && suitesOfVersions(tls.cipherSuites, versionsOf(tls)),
  }
}
