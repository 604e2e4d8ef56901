import { options } from '../config/options.ts'
import type { Command } from './command.ts'
import { backup, restore } from './commands/backup.ts'
import { blocks } from './commands/blocks.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { evm } from './commands/evm.ts'
import { key } from './commands/key.ts'
import { keyServer } from './commands/keyServer.ts'
import { migrate } from './commands/migrate.ts'
import { network } from './commands/network.ts'
import { operator } from './commands/operator.ts'
import { password } from './commands/password.ts'
import { privacyManager } from './commands/privacyManager.ts'
import { publicKey } from './commands/publicKey.ts'
import { rlp } from './commands/rlp.ts'
import { signer } from './commands/signer.ts'
import { upgrade } from './commands/upgrade.ts'
import { validateConfig } from './commands/validateConfig.ts'
import { validator } from './commands/validator.ts'
import { verify } from './commands/verify.ts'

/** All subcommands, in the order of the help text. */
export const commands: readonly Command[] = [
  network,
  signer,
  keyServer,
  privacyManager,
  migrate,
  blocks,
  backup,
  restore,
  verify,
  doctor,
  upgrade,
  validator,
  operator,
  rlp,
  key,
  publicKey,
  password,
  validateConfig,
  evm,
  completion(() => main),
]

/** The main command, which runs a node. */
export const main: Command = {
  name: 'quoin',
  doc: 'An Ethereum node for private networks. Without options it runs a development network.',
  options,
  children: commands,
  run: undefined,
}
