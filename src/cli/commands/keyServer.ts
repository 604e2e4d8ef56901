import { isLoopback } from '../../config/checkKeyServer.ts'
import { failed, usage } from '../../config/fault.ts'
import { option, required, unset, type Values } from '../../config/option.ts'
import { type TokenValues, tokenOptions } from '../../config/tokenOptions.ts'
import { bigInteger, host, integer, path } from '../../config/values.ts'
import type { TlsOptions } from '../../http/tls/createTls.ts'
import type { IdentityFiles } from '../../http/tls/identity.ts'
import { createLocalKey, type HeldKey, type LocalKey } from '../../keys/nodeIdentity.ts'
import { readPrivateKey } from '../../keys/nodeKey.ts'
import { createStdoutLogs } from '../../node/stdoutLogs.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Logger } from '../../system/logger.ts'
import { command } from '../command.ts'
import { nextSignal } from '../nextSignal.ts'

const file = (doc: string) => option(path('FILE'), unset(), 'command', doc)

const options = {
  'key-file': file('The private key: one line of hexadecimal, or a keystore file (Web3 Secret Storage, version 3).'),
  'password-file': file('File with the password of the keystore file.'),
  ...tokenOptions('command'),
  record: option(
    path('PATH'),
    required,
    'command',
    'Folder of the record of what was signed. Keep it with the key: without it the key must not be used.',
  ),
  'new-record': option(
    bigInteger,
    unset('there has to be a record'),
    'command',
    'Begin a record: up to this height nothing is signed. 0 for a key that has never signed; else a height that the chain has not reached when it begins.',
  ),
  host: option(host, '127.0.0.1', 'command', 'Interface to listen on. On any other than this machine TLS is required.'),
  port: option(integer(0, 65_535), 8560, 'command', 'Port to listen on; 0 picks any free port.'),
  'tls-certificate-file': file('PEM file with the certificate of the server.'),
  'tls-key-file': file('PEM file with the key of the certificate.'),
  'tls-keystore-file': file('PKCS#12 keystore with both, instead of PEM files.'),
  'tls-keystore-password-file': file('File whose first line is the password of the keystore.'),
  'tls-known-clients-file': file('Nodes by common name and SHA-256 fingerprint of their certificates, one per line.'),
  'tls-ca-file': file('PEM file of CAs whose certificates of nodes are trusted.'),
}

/** `quoin key-server`: holds the key of a node, and signs nothing that contradicts what it has signed. */
export const keyServer = command(
  'key-server',
  'Hold the key of a node that runs with --security-module=key-server, and sign nothing that contradicts what was signed with it.',
  options,
  async (values, { config }) => {
    const log = createStdoutLogs(config).loggers.child('keys')
    const tlsOptions = tlsOptionsOf(values)
    if (!tlsOptions && !isLoopback(values.host))
      throw usage(`On ${values.host} the key server needs TLS: see --tls-certificate-file and --tls-known-clients-file`)
    const key = await openKey(values, log)
    try {
      await serve(values, tlsOptions, key, log)
    } finally {
      if (key.kind === 'remote') key.close()
    }
    return 0
  },
)

type Given = Values<typeof options>

/** Serves a key until a signal comes. */
async function serve(
  values: Given,
  tlsOptions: TlsOptions | undefined,
  key: LocalKey | HeldKey,
  log: Logger,
): Promise<void> {
  // Other commands do not need what this one loads.
  const [{ openRecord }, { createKeyHolder }, { startKeyServer }, { createTls }] = await Promise.all([
    import('../../keyServer/openRecord.ts'),
    import('../../keyServer/keyHolder.ts'),
    import('../../keyServer/startKeyServer.ts'),
    import('../../http/tls/createTls.ts'),
  ])
  const tls = tlsOptions && createTls(tlsOptions, log)
  const record = openRecord({ path: values.record, address: key.address, newAfter: values['new-record'] })
  const { host: at, port } = values
  const stopped = nextSignal()
  const server = await startKeyServer({ host: at, port, tls }, createKeyHolder(key, record), log).catch(
    async (error: NodeJS.ErrnoException) => {
      await record.close()
      const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : (error.code ?? error.message)
      throw failed(`Cannot listen on ${at}:${port}: ${reason}. See --host and --port.`, error)
    },
  )
  if (!tls) log.warn({}, 'without TLS whoever can connect from this machine can use the key')
  const { closed, bft, clique } = record.read()
  log.info(
    {
      url: `${tls ? 'https' : 'http'}://${server.host}:${server.port}`,
      address: toHex(key.address),
      signedUpTo: Number(bft?.height ?? clique[0]?.number ?? closed),
    },
    'key server started',
  )
  const signal = await stopped
  log.info({ signal }, 'stopping')
  await server.close()
  await record.close()
}

/** The key in the file, or in the token, that is named. */
async function openKey(given: Given, log: Logger): Promise<LocalKey | HeldKey> {
  const file = given['key-file']
  const ofToken = Object.keys(tokenOptions('command')).find((name) => given[name as keyof TokenValues] !== undefined)
  if (file === undefined && ofToken === undefined)
    throw usage('Name the key that is held: --key-file, or --pkcs11-library and what else it needs for one in a token')
  if (file !== undefined && ofToken !== undefined)
    throw usage(`--key-file and --${ofToken} can't be used at the same time`)
  if (file !== undefined)
    return createLocalKey(
      await readPrivateKey({ path: file, passwordFile: given['password-file'], option: '--key-file' }),
    )
  const { tokenHolding } = await import('../../chainData/heldKey.ts')
  const { tokenPlaceOf } = await import('../../chainData/tokenPlace.ts')
  return tokenHolding(tokenPlaceOf(given, 'A key in a token'), log).open()
}

function identityOf(given: Given): IdentityFiles | undefined {
  const [certificate, key] = [given['tls-certificate-file'], given['tls-key-file']]
  const [keystore, password] = [given['tls-keystore-file'], given['tls-keystore-password-file']]
  if (certificate !== undefined && key !== undefined) return { kind: 'PEM', certificate, key }
  return keystore !== undefined && password !== undefined ? { kind: 'PKCS12', keystore, password } : undefined
}

/** TLS is on if anything of it is given, and always asks for certificates of nodes. */
function tlsOptionsOf(given: Given): TlsOptions | undefined {
  const { 'tls-known-clients-file': knownClientsFile, 'tls-ca-file': ca } = given
  const identity = identityOf(given)
  const isAnyGiven = Object.entries(given).some(([name, value]) => name.startsWith('tls-') && value !== undefined)
  if (!isAnyGiven) return undefined
  if (!identity)
    throw usage(
      'TLS needs --tls-certificate-file and --tls-key-file, or --tls-keystore-file and --tls-keystore-password-file',
    )
  if (knownClientsFile === undefined && ca === undefined)
    throw usage('Nodes show certificates: name those that may connect with --tls-known-clients-file or --tls-ca-file')
  return {
    identity,
    clients: { knownClientsFile, caFiles: ca === undefined ? undefined : [ca] },
    versions: ['TLSv1.3', 'TLSv1.2'],
  }
}
