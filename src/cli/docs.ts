import type { Options } from '../config/option.ts'
import { envName } from '../config/resolveConfig.ts'
import { unsupported } from '../config/unsupported.ts'
import type { Command } from './command.ts'
import { commands, main } from './commands.ts'
import { longAliases, operandUsage, optionUsage, sections } from './help.ts'

/** The text of docs/cli.md. */
export function cliPage(): string {
  return (
    [
      '# Command line',
      '<!-- Generated from the option tables by `npm run docs`; do not edit. -->',
      '`quoin [OPTIONS] [COMMAND] [COMMAND OPTIONS]`',
      'Options of the main command can be set, in order of precedence, by flag, by environment variable, or in the TOML file ' +
        'named by `--config-file`. The environment variable is `QUOIN_` followed by the name in upper case with `_` for ' +
        `\`-\` (\`${envName('rpc-http-port')}\`); if that is not set, the same with \`BESU_\` is used ` +
        `(\`${envName('rpc-http-port', 'BESU')}\`). In the TOML file, the key is the option without leading dashes; lists ` +
        'are arrays, table headings are ignored, and unknown keys are an error.',
      'A boolean option without a value is true. Lists are comma-separated, and list options may be repeated. ' +
        'The exit code is 2 for invalid options, before anything is written to disk, and 1 for any other failure.',
      ...sections(main.options).flatMap(([title, options]) => [`## ${title}`, optionTable(options)]),
      '## Commands',
      ...commands.flatMap((command) => commandParts(command, [])),
      '## Options of Besu that are not supported',
      'Some accept the one value that matches what Quoin does; any other value is an error with the reason below.',
      table(
        ['Option', 'Accepted', 'Reason'],
        Object.entries(unsupported).map(([name, { fallbackText = '', doc }]) => [`\`--${name}\``, fallbackText, doc]),
      ),
    ].join('\n\n') + '\n'
  )
}

function commandParts(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name]
  const children = command.children.flatMap((child) => commandParts(child, path))
  if (!command.run) return children
  const { operand } = command
  const usage = operand ? [`\`${operandUsage(operand)}\`: ${operand.doc}`] : []
  return [`### quoin ${path.join(' ')}`, command.doc, ...usage, optionTable(command.options), ...children]
}

function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => [
    `\`${optionUsage(name, option)}\``,
    option.required ? 'required' : (option.fallbackText ?? ''),
    [option.doc, ...longAliases(option).map((alias) => `Also \`--${alias}\`.`)].join(' '),
  ])
  return table(['Option', 'Default', 'Meaning'], rows)
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)].join('\n')
}
