import { option, unset } from './option.ts'
import { tokenOptions } from './tokenOptions.ts'
import { type OptionCodec, oneOf, path, url } from './values.ts'

const file = (doc: string, fallback = '') => option(path('FILE'), unset(fallback), 'node', doc)

const modules = oneOf(['localfile', 'key-server', 'pkcs11'], 'exact case')

/** Besu's plugin is called hsm. */
const securityModule: OptionCodec<ReturnType<(typeof modules)['decode']>> = {
  ...modules,
  decode: (given) => modules.decode(given === 'hsm' ? 'pkcs11' : given),
}

/** What holds the key of the node. */
export const keyOptions = {
  'security-module': option(
    securityModule,
    'localfile',
    'node',
    "What holds the key of the node: a file; quoin key-server, which signs nothing that contradicts what it has signed; or a token with a PKCS#11 library, which Besu's plugin calls hsm.",
  ),
  'key-server-url': option(
    url(['https', 'http']),
    unset(),
    'node',
    'Where the key server is; http only on this machine.',
  ),
  'key-server-tls-certificate-file': file('PEM file with the certificate that this node shows to the key server.'),
  'key-server-tls-key-file': file('PEM file with the key of that certificate.'),
  'key-server-tls-keystore-file': file('PKCS#12 keystore with both, instead of PEM files.'),
  'key-server-tls-keystore-password-file': file('File whose first line is the password of the keystore.'),
  'key-server-tls-ca-file': file(
    'PEM file of the CAs that may have signed the certificate of the key server.',
    'those that Node.js trusts',
  ),
  'key-server-tls-known-servers-file': file(
    'Key servers by host:port and SHA-256 fingerprint, one per line; no other certificate is trusted.',
  ),
  ...tokenOptions('node'),
}
