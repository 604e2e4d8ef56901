import { CliError } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import { resolveConfig } from '../../config/resolveConfig.ts'
import { path } from '../../config/values.ts'
import { command } from '../command.ts'

/** `validate-config`: prints its result to standard output, valid or not. */
export const validateConfig = command(
  'validate-config',
  'Check the names and values in a TOML configuration file.',
  { 'config-file': option(path('FILE'), unset(), 'command', 'File to check.') },
  ({ 'config-file': file = '' }, { io }) => {
    let warnings: readonly string[]
    try {
      warnings = resolveConfig(new Map([['config-file', file]]), {}).warnings
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      io.stdout(error.at.text + '\n')
      return 1
    }
    for (const warning of warnings) io.stdout(`${warning}\n`)
    io.stdout(
      'TOML config file is valid on basic inspection. ' +
        'Further dependencies between related options are checked when Quoin starts.\n',
    )
    return 0
  },
)
