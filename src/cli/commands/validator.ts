import { option, required, unset } from '../../config/option.ts'
import { address, bigInteger, list, path, url } from '../../config/values.ts'
import { command, commandGroup } from '../command.ts'

const here = ['http://127.0.0.1:8545']

const rotate = command(
  'rotate',
  'Give a validator another key: vote the new one in, wait, vote the old one out, and put the new key in place. Run again after the restart, it waits for a block of it.',
  {
    'rpc-url': option(
      list(url(['http', 'https'])),
      here,
      'command',
      'JSON-RPC of the node whose key it is, and then of other validators that vote at once.',
    ),
    'new-key-file': option(
      path('FILE'),
      unset('key.new in the data path'),
      'command',
      'The new key; it is made if there is no such file.',
    ),
    'password-file': option(
      path('FILE'),
      unset('that of the node'),
      'command',
      'File with the password of the new key, or to encrypt it with.',
    ),
    'new-address': option(address, unset(), 'command', 'Address of a new key that is not in a file.'),
  },
  async (values, call) => {
    const { runRotate } = await import('../validator/runRotate.ts')
    return runRotate(values, call)
  },
)

const replace = command(
  'replace',
  'Write the genesis file with which a network goes on whose keys were lost: from a block on it has other validators.',
  {
    'genesis-file': option(path('FILE'), unset('that of the main command'), 'command', 'Genesis file of the network.'),
    'rpc-url': option(list(url(['http', 'https'])), here, 'command', 'JSON-RPC of all nodes that can be asked.'),
    lost: option(list(address), [], 'command', 'Validators that are none any more.'),
    new: option(list(address), [], 'command', 'Accounts that become validators.'),
    block: option(bigInteger, unset('the one after the highest head'), 'command', 'First block of the new validators.'),
    output: option(path('FILE'), required, 'command', 'File to write; it must not exist.'),
  },
  async (values, call) => {
    const { runReplace } = await import('../validator/runReplace.ts')
    return runReplace(values, call)
  },
)

/** `quoin validator`. */
export const validator = commandGroup(
  'validator',
  'Change the key of a validator, or validators whose keys are lost.',
  [rotate, replace],
)
