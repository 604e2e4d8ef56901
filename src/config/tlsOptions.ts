import { option, unset } from './option.ts'
import { boolean, list, oneOf, path, text } from './values.ts'

const enabled = (group: string) => option(boolean, false, group, 'Serve over TLS only.')
const keystore = (group: string) =>
  option(path('FILE'), unset(), group, 'PKCS#12 keystore with the certificate and the key of the server.')
const password = (group: string) =>
  option(path('FILE'), unset(), group, 'File whose first line is the password of the keystore.')
const certificate = (group: string) =>
  option(path('FILE'), unset(), group, 'PEM file with the certificate and its chain, instead of a keystore.')
const key = (group: string) => option(path('FILE'), unset(), group, 'PEM file with the key of the certificate.')
const clientAuth = (group: string) =>
  option(boolean, false, group, 'Clients must show a certificate that is known or signed by a trusted CA.')
const knownClients = (group: string) =>
  option(path('FILE'), unset(), group, 'Clients by common name and SHA-256 fingerprint, one per line.')

/** Names of protocols that the runtime does not know are ignored, as in Besu, unless none is left. */
const protocols = (group: string, aliases: readonly string[] = []) =>
  option(list(text('NAME')), unset('TLSv1.3,TLSv1.2'), group, 'Versions of TLS; older ones are ignored.', { aliases })
const suites = (group: string, aliases: readonly string[] = []) =>
  option(list(text('NAME')), unset('with forward secrecy and AEAD'), group, 'Cipher suites, by the names of Java.', {
    aliases,
  })

/** The options of a server over HTTP. */
function httpFamily(prefix: string, group: string) {
  return {
    enabled: enabled(group),
    'keystore-file': keystore(group),
    'keystore-password-file': password(group),
    'certificate-file': certificate(group),
    'key-file': key(group),
    'client-auth-enabled': clientAuth(group),
    'known-clients-file': knownClients(group),
    'ca-clients-enabled': option(
      boolean,
      false,
      group,
      'Trust client certificates of the CAs in the keystore and in the file that NODE_EXTRA_CA_CERTS names.',
    ),
    protocols: protocols(group, [`${prefix}-protocol`]),
    'cipher-suites': suites(group, [`${prefix}-cipher-suite`]),
  }
}

type HttpFamily = ReturnType<typeof httpFamily>
type Prefixed<P extends string> = { readonly [K in keyof HttpFamily & string as `${P}-${K}`]: HttpFamily[K] }

function prefixed<const P extends string>(prefix: P, group: string): Prefixed<P> {
  const named = Object.entries(httpFamily(prefix, group)).map(([name, entry]) => [`${prefix}-${name}`, entry])
  return Object.fromEntries(named) as Prefixed<P>
}

/** TLS of JSON-RPC over HTTP. */
export const httpTlsOptions = prefixed('rpc-http-tls', 'http')

const graphqlTls = prefixed('graphql-http-tls', 'graphql')

/** TLS of GraphQL, also by the names that later versions of Besu have for some of it. */
export const graphqlTlsOptions = {
  ...graphqlTls,
  'graphql-http-tls-enabled': { ...graphqlTls['graphql-http-tls-enabled'], aliases: ['graphql-tls-enabled'] },
  'graphql-http-tls-keystore-file': {
    ...graphqlTls['graphql-http-tls-keystore-file'],
    aliases: ['graphql-tls-keystore-file'],
  },
  'graphql-http-tls-keystore-password-file': {
    ...graphqlTls['graphql-http-tls-keystore-password-file'],
    aliases: ['graphql-tls-keystore-password-file'],
  },
}

/** TLS of JSON-RPC over WebSocket, with the names of newer versions of Besu. */
export const wsTlsOptions = {
  'rpc-ws-ssl-enabled': enabled('ws'),
  'rpc-ws-ssl-keystore-type': option(
    oneOf(['PKCS12', 'PEM'], 'any case'),
    unset('PEM if there is a certificate file, else PKCS12'),
    'ws',
    'Whether certificate and key are in a keystore or in PEM files.',
  ),
  'rpc-ws-ssl-keystore-file': keystore('ws'),
  'rpc-ws-ssl-keystore-password-file': password('ws'),
  'rpc-ws-ssl-cert-file': certificate('ws'),
  'rpc-ws-ssl-key-file': key('ws'),
  'rpc-ws-ssl-client-auth-enabled': clientAuth('ws'),
  'rpc-ws-ssl-known-clients-file': knownClients('ws'),
  'rpc-ws-ssl-trustcert-file': option(
    path('FILE'),
    unset(),
    'ws',
    'PEM file of CAs whose client certificates are trusted, beside those of the keystore.',
  ),
  'rpc-ws-ssl-protocols': protocols('ws'),
  'rpc-ws-ssl-cipher-suites': suites('ws'),
}

/** TLS of the connection to an external private transaction manager. */
export const privacyTlsOptions = {
  'privacy-tls-enabled': option(boolean, false, 'privacy', 'Connect to the private transaction manager over TLS.'),
  'privacy-tls-keystore-file': option(
    path('FILE'),
    unset(),
    'privacy',
    'PKCS#12 keystore with the certificate that this node shows to the private transaction manager.',
  ),
  'privacy-tls-keystore-password-file': password('privacy'),
  'privacy-tls-known-enclave-file': option(
    path('FILE'),
    unset('certificates of public CAs are trusted'),
    'privacy',
    'Private transaction managers by host:port and SHA-256 fingerprint, one per line; no other certificate is trusted.',
  ),
}
