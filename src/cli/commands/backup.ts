import { option, required, unset } from '../../config/option.ts'
import { boolean, path } from '../../config/values.ts'
import { command } from '../command.ts'

/** `backup`: copies a node's data while it runs. */
export const backup = command(
  'backup',
  'Back up the data path of a node, which may be running: consistent copies of the database and of the private payloads, with checksums.',
  {
    to: option(path('PATH'), required, 'command', 'Folder to make, or file if the name ends in .tar.'),
    state: option(
      boolean,
      false,
      'command',
      'Only the newest state and the headers, without blocks and history: whoever restores it checks it against the seals of the validators.',
    ),
    'with-key': option(
      boolean,
      false,
      'command',
      "Include the node's private key, and that of its private transaction manager. Never let two validators with the same key run.",
    ),
  },
  async (values, call) => {
    const { runBackup } = await import('../runBackup.ts')
    return runBackup(call, { to: values.to, isState: values.state, withKey: values['with-key'] })
  },
)

/** `restore`: puts a backup into a data path. */
export const restore = command(
  'restore',
  'Restore a backup into a data path that has no database; a backup of which any byte has changed is refused, and a state (--state) that the validators have not sealed.',
  {
    from: option(path('PATH'), unset(), 'command', 'Folder or file that quoin backup made.'),
    'may-sign': option(
      boolean,
      false,
      'command',
      'Let a validator sign at once, because the whole network is restored; alone, for a data path that was restored before.',
    ),
  },
  async (values, call) => {
    const { runRestore } = await import('../runBackup.ts')
    return runRestore(call, values.from, values['may-sign'])
  },
)
