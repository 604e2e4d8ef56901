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
      '<!-- Made from the option tables by `npm run docs`; do not edit. -->',
      '`quoin [OPTIONS] [COMMAND] [COMMAND OPTIONS]`',
      'An option of the main command is taken from the first place that has it: the flag, the environment, the TOML file ' +
        'given with `--config-file`, the default. Its variable is `QUOIN_` and the name in upper case with `_` for `-`; ' +
        `the same with \`BESU_\` is read too, after it (\`${envName('rpc-http-port')}\`, ` +
        `\`${envName('rpc-http-port', 'BESU')}\`). In the file it is a key without the dashes in front; lists are arrays, ` +
        'table headings are ignored, and a key that is no option is an error.',
      'A flag for a boolean may stand alone. Lists are divided by commas, and a list option may be repeated. ' +
        'Wrong usage ends with exit code 2 and leaves nothing on disk; any other failure ends with 1.',
      ...sections(main.options).flatMap(([title, options]) => [`## ${title}`, optionTable(options)]),
      '## Commands',
      ...commands.flatMap((command) => commandParts(command, [])),
      '## Options of Besu that are not offered',
      'One value of some is accepted, because it says what Quoin does; all else is refused with the reason.',
      table(
        ['Option', 'Accepted', 'Reason'],
        Object.entries(unsupported).map(([name, { fallbackText = '', doc }]) => [`\`--${name}\``, fallbackText, doc]),
      ),
    ].join('\n\n') + '\n'
  )
}

function commandParts(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name]
  if (command.children.length) return command.children.flatMap((child) => commandParts(child, path))
  const { operand } = command
  const usage = operand ? [`\`${operandUsage(operand)}\`: ${operand.doc}`] : []
  return [`### quoin ${path.join(' ')}`, command.doc, ...usage, optionTable(command.options)]
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
