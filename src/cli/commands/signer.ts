import { createDevChain } from '../../chainData/devChain.ts'
import { localOrigins } from '../../config/devDefaults.ts'
import { failed, usage } from '../../config/fault.ts'
import { hosts, origins } from '../../config/networkValues.ts'
import { option, unset } from '../../config/option.ts'
import { bigInteger, boolean, host, integer, path, seconds, text, url } from '../../config/values.ts'
import { createStdoutLogs } from '../../node/stdoutLogs.ts'
import { fromHex } from '../../primitives/hex.ts'
import { command } from '../command.ts'
import { nextSignal } from '../nextSignal.ts'

/** `quoin signer`: holds keys in front of a node. */
export const signer = command(
  'signer',
  'Hold keys in front of a node: answer eth_accounts, sign what eth_sendTransaction and eth_sign are given, and pass ' +
    'everything else on to the node, over HTTP and WebSocket.',
  {
    dev: option(boolean, false, 'command', 'Use the public keys of the DEV network.'),
    mnemonic: option(
      text('WORDS'),
      unset('test test … junk, as in Hardhat and Foundry'),
      'command',
      'With --dev: mnemonic of the accounts, as given to the node.',
      { aliases: ['dev-mnemonic'] },
    ),
    accounts: option(
      integer(0, 1000),
      unset('10'),
      'command',
      "With --dev: number of accounts of the mnemonic, after the three of Besu's.",
      { aliases: ['dev-accounts'] },
    ),
    keystore: option(
      path('PATH'),
      unset(),
      'command',
      'Keystore file (Web3 Secret Storage, version 3), or directory of such files.',
    ),
    'password-file': option(
      path('FILE'),
      unset('<name>.password beside each keystore file'),
      'command',
      'File with the password of the keystore files.',
    ),
    node: option(url(['http', 'https']), 'http://127.0.0.1:8545/', 'command', 'JSON-RPC of the node over HTTP.'),
    'node-ws': option(
      url(['ws', 'wss']),
      unset('the host of --node, one port higher'),
      'command',
      'JSON-RPC of the node over WebSocket.',
    ),
    'node-timeout': option(seconds, 60, 'command', 'Seconds that the node may take to answer.'),
    // Beside a node (8545 to 8547) and a network of any size (ports that end in 5 to 8) it is free; Clef uses it too.
    port: option(
      integer(0, 65_535),
      8550,
      'command',
      'Port to listen on, for HTTP and WebSocket; 0 picks any free port.',
    ),
    host: option(host, '127.0.0.1', 'command', 'Interface to listen on. Anyone who can connect can sign.'),
    'host-allowlist': option(hosts, ['localhost', '127.0.0.1'], 'command', 'Allowed host names in requests.'),
    'cors-origins': option(
      origins,
      localOrigins,
      'command',
      'Allowed origins of browsers, over HTTP (CORS) and WebSocket, as regular expressions. The default allows pages from this ' +
        'machine and browser extensions.',
    ),
    'chain-id': option(bigInteger, unset('that of the node'), 'command', 'Chain that transactions are signed for.'),
  },
  async (values, { config }) => {
    if (values.dev === (values.keystore !== undefined))
      throw usage("Give either '--dev' or '--keystore=<PATH>': where the keys are")
    const { mnemonic, accounts } = values
    if (!values.dev && (mnemonic !== undefined || accounts !== undefined))
      throw usage("'--mnemonic' and '--accounts' need '--dev': keys of value belong into keystore files")
    const log = createStdoutLogs(config).loggers.child('signer')
    // Other commands do not need what this one loads.
    const [{ createKeyring }, { readKeystores }, { startSigner }] = await Promise.all([
      import('../../signer/keyring.ts'),
      import('../../keys/readKeystores.ts'),
      import('../../signer/startSigner.ts'),
    ])
    const keyring = createKeyring(
      values.keystore === undefined
        ? devKeys(mnemonic, accounts)
        : await readKeystores(values.keystore, values['password-file']),
    )
    const options = {
      host: values.host,
      port: values.port,
      nodeUrl: new URL(values.node),
      nodeWsUrl: new URL(values['node-ws'] ?? webSocketBeside(values.node)),
      timeout: values['node-timeout'] * 1000,
      chainId: values['chain-id'],
      passOthers: values.dev,
      hostAllowlist: values['host-allowlist'],
      corsOrigins: values['cors-origins'],
    }
    const server = await startSigner(options, keyring, log).catch((error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : (error.code ?? error.message)
      throw failed(`Cannot listen on ${values.host}:${values.port}: ${reason}. See --host and --port.`, error)
    })
    if (!/^(?:127\.|::1$|localhost$)/.test(values.host))
      log.warn({ host: values.host }, 'not only this machine can connect: anyone who can, can sign')
    log.info(
      {
        url: `http://${server.host}:${server.port}`,
        ws: `ws://${server.host}:${server.port}`,
        node: options.nodeUrl.href,
        nodeWs: options.nodeWsUrl.href,
        accounts: keyring.accounts.length,
      },
      'signer started',
    )
    const signal = await nextSignal()
    log.info({ signal }, 'stopping')
    await server.close()
    return 0
  },
)

function devKeys(mnemonic: string | undefined, accounts: number | undefined): Uint8Array[] {
  return createDevChain({ mnemonic, accounts }).accounts.map(({ privateKey }) => fromHex(privateKey))
}

/** Where a node serves WebSocket by default: at the next port. */
function webSocketBeside(node: string): string {
  const beside = new URL(node)
  beside.protocol = beside.protocol === 'https:' ? 'wss:' : 'ws:'
  if (beside.port !== '') beside.port = String(Number(beside.port) + 1)
  return beside.href
}
