import { option } from '../../config/option.ts'
import { boolean } from '../../config/values.ts'
import { command } from '../command.ts'

/** `verify`: checks the database of a data path, and repairs it if asked to. */
export const verify = command(
  'verify',
  'Check the whole database of a node that is stopped: every page, block, receipt and index, the state of the head and its history.',
  {
    repair: option(
      boolean,
      false,
      'command',
      'If something is wrong, rebuild the database from the blocks that are sound; the damaged one is kept beside it.',
    ),
  },
  async ({ repair }, call) => {
    const { runVerify } = await import('../runVerify.ts')
    return runVerify(call, repair)
  },
)
