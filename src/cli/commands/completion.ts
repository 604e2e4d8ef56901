import { usage } from '../../config/fault.ts'
import { type Command, command } from '../command.ts'
import { completionScript, shells } from '../completion.ts'

/** `completion`: prints the script that a shell completes command lines with; `main` gives the command that it is a part of itself. */
export const completion = (main: () => Command): Command =>
  command(
    'completion',
    `Print the completion script of a shell: ${shells.join(', ')}. In bash: source <(quoin completion bash)`,
    {},
    (_, { io, operands }) => {
      const shell = shells.find((name) => name === operands[0])
      if (!shell) throw usage(`Unknown shell '${operands[0]}': expected one of ${shells.join(', ')}`)
      io.stdout(completionScript(shell, main()))
      return 0
    },
    { label: 'SHELL', doc: `One of ${shells.join(', ')}.`, arity: 'some' },
  )
