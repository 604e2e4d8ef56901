import { option, required, unset } from '../../config/option.ts'
import { bigInteger, oneOf, path, text } from '../../config/values.ts'
import { command, commandGroup } from '../command.ts'

const plan = command(
  'plan',
  'Plan how a network of Clique, IBFT 2.0 or QBFT gets to a fork without standing still: what is missing, the new genesis file, what each node does.',
  {
    'genesis-file': option(path('FILE'), unset('that of the main command'), 'command', 'Genesis file of the network.'),
    to: option(oneOf(['prague', 'osaka'], 'any case'), required, 'command', 'Fork to get to.'),
    at: option(
      text('TIME'),
      unset('in a week'),
      'command',
      'When it begins: seconds since 1970, or a date such as 2027-01-31T09:00:00Z.',
    ),
    besu: option(
      text('VERSION'),
      unset('all nodes are Quoin'),
      'command',
      'Version of the oldest Besu in the network, such as 25.12 or 26.8.',
    ),
    'tx-gas-limit': option(
      bigInteger,
      unset(),
      'command',
      'Maximum gas limit of a transaction from the fork on (pertxgaslimit), instead of 16777216 in Osaka; 0: only that of a block.',
    ),
    output: option(path('FILE'), unset(), 'command', 'File to write the new genesis file to; it must not exist.'),
  },
  async (values, call) => {
    const { runPlan } = await import('../upgrade/runPlan.ts')
    return runPlan(values, call)
  },
)

/** `upgrade plan`. */
export const upgrade = commandGroup('upgrade', 'Upgrade the rules of a private network.', [plan])
