import { option, required } from '../../config/option.ts'
import { text } from '../../config/values.ts'
import { command, commandGroup } from '../command.ts'

const hash = command(
  'hash',
  'Print the BCrypt hash of a password, for a credentials file.',
  { password: option(text('password'), required, 'command', 'The password; it may be empty.') },
  async ({ password }, { io }) => {
    const { hashPassword } = await import('../../auth/passwords.ts')
    io.stdout((await hashPassword(password)) + '\n')
    return 0
  },
)

/** `password hash`. */
export const password = commandGroup('password', 'Work with passwords of a credentials file.', [hash])
