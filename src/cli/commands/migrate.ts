import { usage } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import { path } from '../../config/values.ts'
import { command } from '../command.ts'
import { interruptible } from '../interruptible.ts'

/** `migrate`: moves a node of Besu or geth over. */
export const migrate = command(
  'migrate',
  'Move a node of Besu or geth over: copies key, static nodes and chain, executes every block, and prints how to start the node. ' +
    'The source is only read; a migration that was stopped goes on when it is run again.',
  {
    'from-besu': option(
      path('DIRECTORY|URL'),
      unset(),
      'command',
      "Besu's data path, with key, static nodes and, while it runs, its port; or the URL of its JSON-RPC.",
    ),
    'from-geth': option(
      path('DIRECTORY|URL'),
      unset(),
      'command',
      "geth's data folder, with nodekey, config.toml and, while it runs, its IPC; or the URL of its JSON-RPC.",
    ),
    'blocks-from': option(
      path('FILE|URL'),
      unset('the running node of --from-besu or --from-geth'),
      'command',
      "Where the blocks come from: a file that `besu blocks export` or `geth export` wrote, or the JSON-RPC of any node of the network, as a URL or as geth's IPC file.",
    ),
    'password-file': option(
      path('FILE'),
      unset(),
      'command',
      "Password of an account of geth that signs blocks (Clique): its key is taken, instead of the node's.",
    ),
    keystore: option(
      path('FILE'),
      unset('the only account in keystore of the data folder'),
      'command',
      'Keystore file of that account.',
    ),
  },
  async (values, call) => {
    const given = (['besu', 'geth'] as const).flatMap((program) => {
      const source = values[`from-${program}`]
      return source === undefined ? [] : [{ program, source }]
    })
    const [from, other] = given
    if (!from || other) throw usage('One of --from-besu and --from-geth is needed.')
    const { runMigrate } = await import('../runMigrate.ts')
    const { 'blocks-from': blocksFrom, 'password-file': passwordFile, keystore } = values
    if (keystore !== undefined && passwordFile === undefined) throw usage('--keystore needs --password-file.')
    return interruptible((stop) => runMigrate(call, { ...from, blocksFrom, passwordFile, keystore, stop }))
  },
)
