import { join } from 'node:path'
import { failed, usage } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import { boolean, host, hosts, list, oneOf, path, port, url } from '../../config/values.ts'
import { createStdoutLogs } from '../../node/stdoutLogs.ts'
import { systemClock } from '../../primitives/clock.ts'
import { type Command, command } from '../command.ts'
import { nextSignal } from '../nextSignal.ts'

/** Forms of a private key's file. */
const formats = ['tessera', 'base64'] as const

const keygen = command(
  'keygen',
  'Make a key pair for a private transaction manager: a private key, and beside it the public key in base64 (.pub).',
  {
    to: option(path('FILE'), unset('privacy.key in the data path'), 'command', 'File of the private key.'),
    format: option(
      oneOf(formats, 'exact case'),
      'tessera',
      'command',
      "Form of the private key: tessera (Tessera's unlocked JSON) or base64 (one line).",
    ),
  },
  async ({ to, format }, { config, io }) => {
    const { generateKeyPair, publicKeyFileOf, writeKeyFiles } = await import('../../privacy/manager/keys.ts')
    const file = to ?? defaultKeyFile(config['data-path'])
    const pair = generateKeyPair()
    writeKeyFiles(file, pair, format)
    io.stdout(`${pair.name}\n`)
    io.stderr(`The private key is in ${file}, the public key in ${publicKeyFileOf(file)}\n`)
    return 0
  },
)

const start = command(
  'start',
  'Run a private transaction manager of its own, for nodes (Besu or Quoin) that name it with --privacy-url.',
  {
    'key-file': option(
      list(path('FILE')),
      unset('privacy.key in the data path, which is made if it does not exist'),
      'command',
      "Private keys: Tessera's unlocked JSON or base64.",
    ),
    host: option(host, '127.0.0.1', 'command', 'Interface for nodes. Whoever can connect can read all payloads.'),
    port: option(port, 8888, 'command', 'Port for nodes; 0 picks any free port.'),
    'host-allowlist': option(hosts, ['localhost', '127.0.0.1'], 'command', 'Allowed host names in requests of nodes.'),
    'peer-host': option(host, '127.0.0.1', 'command', 'Interface for other managers.'),
    'peer-port': option(port, 9000, 'command', 'Port for other managers; 0 picks any free port.'),
    'peer-url': option(
      url(['http', 'https']),
      unset('http://, --peer-host and --peer-port'),
      'command',
      'Address that other managers are told to connect to.',
    ),
    peers: option(
      list(url(['http', 'https'])),
      [],
      'command',
      'Addresses of other managers, Quoin or Tessera; one of them is enough to find all.',
    ),
    'peer-discovery': option(boolean, true, 'command', 'Contact managers that the peers name, too.'),
    recover: option(
      boolean,
      false,
      'command',
      'Ask the other managers for all payloads again. A manager that has none does so anyway.',
    ),
  },
  async (values, { config }) => {
    if (/^(?:0\.0\.0\.0|::)$/.test(values['peer-host']) && values['peer-url'] === undefined)
      throw usage(`Name the address that other managers connect to with '--peer-url': ${values['peer-host']} is none`)
    const log = createStdoutLogs(config).loggers.child('privacy')
    // Other commands do not need what this one loads.
    const [{ createManager }, { loadOrCreateKey, readKeyFile }] = await Promise.all([
      import('../../privacy/manager/createManager.ts'),
      import('../../privacy/manager/keys.ts'),
    ])
    const files = values['key-file']
    const keys = files
      ? files.map(readKeyFile)
      : [
          loadOrCreateKey(defaultKeyFile(config['data-path']), ({ name }) =>
            log.info({ key: name }, 'generated a key of the private transaction manager'),
          ),
        ]
    const options = {
      path: join(config['data-path'], 'privacy'),
      keys,
      peerApi: { host: values['peer-host'], port: values['peer-port'] },
      url: values['peer-url']?.href,
      peers: values.peers.map(({ href }) => href),
      discovery: values['peer-discovery'],
      nodeApi: { host: values.host, port: values.port, hostAllowlist: values['host-allowlist'] },
      recover: values.recover,
    }
    const stopped = nextSignal()
    const manager = await createManager(options, { log, clock: systemClock }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw failed(`Cannot listen: ${error.message}. See --port and --peer-port.`, error)
    })
    if (!/^(?:127\.|::1$|localhost$)/.test(values.host))
      log.warn({ host: values.host }, 'not only this machine can connect: whoever can, can read all payloads')
    log.info({ nodes: manager.nodeUrl, peers: manager.url, keys: manager.keys }, 'private transaction manager started')
    const signal = await stopped
    log.info({ signal }, 'stopping')
    await manager.close()
    return 0
  },
)

/** `quoin privacy-manager`: runs without a subcommand too. */
export const privacyManager: Command = {
  ...start,
  name: 'privacy-manager',
  children: [keygen],
}

function defaultKeyFile(dataPath: string): string {
  return join(dataPath, 'privacy.key')
}
