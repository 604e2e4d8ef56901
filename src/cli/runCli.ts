import { ChainError } from '../chain/fault.ts'
import { checkConfig } from '../config/checkConfig.ts'
import { clientVersion } from '../config/clientVersion.ts'
import { CliError, failed, usage } from '../config/fault.ts'
import type { Given } from '../config/option.ts'
import { settleAll } from '../config/option.ts'
import type { Config } from '../config/options.ts'
import { resolveConfig } from '../config/resolveConfig.ts'
import { unsupported } from '../config/unsupported.ts'
import { startServerThread } from '../node/serving/serverThread.ts'
import { Fault } from '../primitives/fault.ts'
import { letYoungGenerationGrow } from '../system/v8Settings.ts'
import type { Command } from './command.ts'
import { validateConfig } from './commands/validateConfig.ts'
import { main } from './commands.ts'
import { helpText, operandUsage } from './help.ts'
import type { Io } from './io.ts'
import { parseArgs, requireOptions } from './parseArgs.ts'

/** Starts a node; its servers keep the process alive after the promise resolves. */
export type StartNode = (config: Config, warnings: readonly string[]) => Promise<unknown>

/** Runs a command line and returns its exit code: 0 success, 1 failure, 2 invalid usage. */
export async function runCli(argv: readonly string[], io: Io, start: StartNode = startThisNode): Promise<number> {
  try {
    return await dispatch(argv, io, start)
  } catch (error) {
    io.stderr(describe(error) + '\n')
    return error instanceof CliError && error.at.code === 'USAGE' ? 2 : 1
  }
}

async function dispatch(argv: readonly string[], io: Io, start: StartNode): Promise<number> {
  // `quoin help COMMAND` is the same as `quoin COMMAND --help`.
  const args = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  const { path, given: found, operands, wants } = parseArgs(args, main, unsupported)
  const command = path.at(-1)!
  // The file that is to be checked may stand in front, where it would be loaded.
  const isCheck = command === validateConfig
  const given = isCheck ? moveConfigFile(found) : found
  if (wants === 'version') io.stdout(clientVersion() + '\n')
  else if (wants === 'help') io.stdout(helpText(path, io.columns))
  else {
    if (command.operand?.arity === 'some' && operands.length === 0)
      throw usage(`Missing required parameter: '${operandUsage(command.operand)}'`)
    const resolved = resolveConfig(given[0]!, isCheck ? {} : io.env)
    const { config } = resolved
    const { run } = command
    if (run) {
      letYoungGenerationGrow()
      return askForGenesis(config, () =>
        run(settle(command, given.at(-1)!), { config, given: given[0]!, io, operands }),
      )
    }
    if (command === main) {
      checkConfig(resolved)
      await askForGenesis(config, () => start(config, resolved.warnings))
    } else io.stdout(helpText(path, io.columns))
  }
  return 0
}

/** Makes the main command's --config-file that of the subcommand, unless it has one. */
function moveConfigFile([main = new Map(), own = new Map()]: readonly Given[]): readonly Given[] {
  const rest = new Map(main)
  rest.delete('config-file')
  return [rest, new Map([...main, ...own].filter(([name]) => name === 'config-file'))]
}

/** Runs an action; if it finds the data of another network, and no genesis file was given, says that one is needed. */
async function askForGenesis<T>(config: Config, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const isOther = error instanceof ChainError && error.at.code === 'GENESIS_MISMATCH'
    if (!isOther || config['genesis-file'] !== undefined) throw error
    throw failed(
      `${config['data-path']} has the data of another network than the development network: ` +
        'name the genesis file of that network with --genesis-file',
      error,
    )
  }
}

/** Decodes a subcommand's options, which can only be set by flag. */
function settle(command: Command, given: Given): Record<string, unknown> {
  requireOptions(command, given)
  return settleAll(command.options, given)
}

function describe(error: unknown): string {
  if (error instanceof CliError) {
    const hint = error.at.code === 'USAGE' ? error.at.hint : undefined
    return hint === undefined ? error.at.text : `${error.at.text}\n${hint}`
  }
  if (error instanceof Fault) return error.message
  if (error instanceof Error) {
    // System errors explain themselves; anything else is a bug of ours, which needs the stack.
    return 'code' in error ? error.message : (error.stack ?? error.message)
  }
  return String(error)
}

// Loaded only here: help and subcommands need neither the database nor the EVM. A thread that the node needs starts meanwhile.
const startThisNode: StartNode = async (config, warnings) => {
  const httpThread = startServerThread(config)
  const { startNode } = await import('../node/startNode.ts')
  return startNode(config, warnings, httpThread)
}
