import { type BesuName, besuNames, newestBesu } from '../config/besuNames.ts'
import { type BesuOption, findBesuOption } from '../config/besuOptions.ts'
import type { Options } from '../config/option.ts'
import { envName } from '../config/resolveConfig.ts'
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
      '## Options of Besu',
      'What becomes of each option of Besu 23.4 to 26.8 is in [besu-options.md](besu-options.md).',
    ].join('\n\n') + '\n'
  )
}

const verdicts: Readonly<Record<BesuOption['verdict'], string>> = {
  honoured: 'honoured',
  warned: 'accepted with a warning',
  refused: 'refused',
}

/** Whether the newest Besu has an option, and since or until when. */
function besuVersionsOf({ since, until }: BesuName): string {
  if (until !== undefined) return `until ${until}`
  return since === undefined ? 'yes' : `since ${since}`
}

/** The text of docs/besu-options.md. */
export function besuOptionsPage(): string {
  const rows = besuNames.flatMap((known) => {
    const option = findBesuOption(known.name)
    return option ? [{ ...option, versions: besuVersionsOf(known) }] : []
  })
  const count = (verdict: BesuOption['verdict']) => rows.filter((row) => row.verdict === verdict).length
  const present = besuNames.filter(({ until }) => until === undefined).length
  return (
    [
      '# Options of Besu 23.4 to 26.8',
      '<!-- Generated from the option tables by `npm run docs`; do not edit. -->',
      'A command line, the environment variables (`BESU_…`, `PANTHEON_…`) and the TOML file of Besu 23.4 to 26.8 start a Quoin ' +
        'node unchanged. An option that only tunes what Quoin does not have is accepted, and one line at the start says ' +
        'what Quoin does instead. An option that would change the meaning of the network, or weaken its security, is ' +
        'honoured or refused with the reason.',
      `Of ${rows.length} names ${count('honoured')} are honoured, ${count('warned')} accepted with a warning and ` +
        `${count('refused')} refused. Besu ${newestBesu} has ${present} of them: the second column says since which version, ` +
        'or until which one Besu had the others. Names that begin with X are experimental in Besu.',
      table(
        ['Option', `Besu ${newestBesu}`, 'In Quoin', 'What it does, what Quoin does instead, or why it is refused'],
        rows.map(({ name, versions, verdict, text }) => [`\`--${name}\``, versions, verdicts[verdict], text]),
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
