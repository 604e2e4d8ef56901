import { failed, usage } from '../../config/fault.ts'
import { addressProblem, managerOptions } from '../../config/managerOptions.ts'
import { hosts } from '../../config/networkValues.ts'
import { option, unset } from '../../config/option.ts'
import { host, oneOf, path, port } from '../../config/values.ts'
import { createStdoutLogs } from '../../node/stdoutLogs.ts'
import {
  defaultKeyFile,
  generateKeyPair,
  keyPairText,
  loadOwnKey,
  publicKeyFileOf,
  readKeyFiles,
  writeKeyFiles,
} from '../../privacyManager/keys.ts'
import { systemClock } from '../../system/clock.ts'
import { type Command, command } from '../command.ts'
import { nextSignal } from '../nextSignal.ts'
import { importTessera } from './importTessera.ts'

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
    'password-file': option(
      path('FILE'),
      unset('the key is not encrypted'),
      'command',
      'File with a password, to encrypt the private key with instead (Web3 Secret Storage, version 3).',
    ),
  },
  async ({ to, format, 'password-file': password }, { config, io }) => {
    const file = to ?? defaultKeyFile(config['data-path'])
    const pair = generateKeyPair()
    writeKeyFiles(file, pair, await keyPairText(pair, password, format))
    io.stdout(`${pair.name}\n`)
    io.stderr(`The private key is in ${file}, the public key in ${publicKeyFileOf(file)}\n`)
    return 0
  },
)

const start = command(
  'start',
  'Run a private transaction manager of its own, for nodes (Besu or Quoin) that name it with --privacy-url.',
  {
    host: option(host, '127.0.0.1', 'command', 'Interface for nodes. Anyone who can connect can read all payloads.'),
    port: option(port, 8888, 'command', 'Port for nodes; 0 picks any free port.'),
    'host-allowlist': option(hosts, ['localhost', '127.0.0.1'], 'command', 'Allowed host names in requests of nodes.'),
    ...managerOptions('command'),
  },
  async (values, { config }) => {
    const problem = addressProblem('', values['peer-host'], values['peer-url'])
    if (problem !== undefined) throw usage(problem)
    const log = createStdoutLogs(config).loggers.child('privacy')
    // Other commands do not need what this one loads.
    const { createManager, managerFolder } = await import('../../privacyManager/createManager.ts')
    const password = values['key-password-file']
    const given = await readKeyFiles(values['key-file'], password)
    const keys = given ?? [await loadOwnKey(config['data-path'], log, password)]
    const options = {
      path: managerFolder(config['data-path']),
      keys,
      peerApi: { host: values['peer-host'], port: values['peer-port'] },
      url: values['peer-url'],
      peers: values.peers,
      discovery: values['peer-discovery'],
      nodeApi: { host: values.host, port: values.port, hostAllowlist: values['host-allowlist'] },
      allowedKeys: values['allowed-keys'],
      recover: values.recover,
    }
    const stopped = nextSignal()
    const manager = await createManager(options, { log, clock: systemClock }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw failed(`Cannot listen: ${error.message}. See --port and --peer-port.`, error)
    })
    if (!/^(?:127\.|::1$|localhost$)/.test(values.host))
      log.warn({ host: values.host }, 'not only this machine can connect: anyone who can, can read all payloads')
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
  children: [keygen, importTessera],
}
