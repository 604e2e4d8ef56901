import { usage } from '../../config/fault.ts'
import { command } from '../command.ts'
import { completionScript, shells } from '../completion.ts'

/** `completion`: prints the script that a shell completes command lines with. */
export const completion = command(
  'completion',
  `Print the completion script of a shell: ${shells.join(', ')}. In bash: source <(quoin completion bash)`,
  {},
  async (_, { io, operands }) => {
    const shell = shells.find((name) => name === operands[0])
    if (!shell) throw usage(`Unknown shell '${operands[0]}': expected one of ${shells.join(', ')}`)
    // All commands are known only when this module, one of theirs, is loaded.
    const { main } = await import('../commands.ts')
    io.stdout(completionScript(shell, main))
    return 0
  },
  { label: 'SHELL', doc: `One of ${shells.join(', ')}.`, arity: 'some' },
)
