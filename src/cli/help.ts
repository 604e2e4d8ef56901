import type { Option, Options } from '../config/option.ts'
import { groups } from '../config/options.ts'
import { envName } from '../config/resolveConfig.ts'
import type { Command, Operand } from './command.ts'

/** The help text of the last command in `path`. */
export function helpText(path: readonly Command[], columns: number): string {
  const command = path.at(-1)!
  const width = Math.min(Math.max(columns, 60), 120)
  const isMain = path.length === 1
  const words = [
    ...path.map(({ name }) => name),
    '[OPTIONS]',
    ...(command.children.length ? ['[COMMAND]'] : []),
    ...(command.operand ? [operandUsage(command.operand)] : []),
  ]
  const parts = [`Usage: ${words.join(' ')}\n${wrap(command.doc, width, 0)}`]
  if (command.operand) parts.push(columnsOf(operandUsage(command.operand), command.operand.doc, width))
  // In front: nobody finds them below some hundred lines of options.
  if (command.children.length)
    parts.push('Commands\n' + command.children.map(({ name, doc }) => columnsOf(name, doc, width)).join('\n'))
  for (const [title, options] of sections(command.options))
    parts.push(
      title +
        '\n' +
        Object.entries(options)
          .map(([name, o]) => entry(name, o, isMain, width))
          .join('\n'),
    )
  parts.push(
    'Also\n' +
      columnsOf('-h, --help', 'Show this help and exit.', width) +
      '\n' +
      columnsOf('-V, --version', 'Show the version and exit.', width),
  )
  if (isMain)
    parts.push(
      wrap(
        'Options can be set by flag, by environment variable, or in the TOML file named by --config-file, in this order ' +
          'of precedence. The environment variable is QUOIN_ (or BESU_) followed by the option in upper case with _ for -; ' +
          'the TOML key is the option without leading dashes.',
        width,
        0,
      ),
    )
  return parts.join('\n\n') + '\n'
}

/** The options by heading; a subcommand has only one heading. */
export function sections(options: Options): [string, Options][] {
  const titles = Object.entries<string>(groups)
  const found = titles.map(([group, title]): [string, Options] => [title, inGroup(options, group)])
  return [...found, ['Options', inGroup(options, 'command')] as [string, Options]].filter(
    ([, members]) => Object.keys(members).length > 0,
  )
}

function inGroup(options: Options, group: string): Options {
  return Object.fromEntries(Object.entries(options).filter(([, option]) => option.group === group))
}

/** Placeholder of positional parameters in usage. */
export function operandUsage({ label, arity }: Operand): string {
  if (arity === 'some') return `<${label}>...`
  return arity === 'any' ? `[<${label}>...]` : `[<${label}>]`
}

/** All names of an option with the placeholder of its value. */
export function optionUsage(name: string, { codec, aliases }: Option<unknown>): string {
  const value = codec.arity === 'flag' ? `[=<${codec.label}>]` : `=<${codec.label}>`
  const short = aliases.filter((alias) => alias.length === 1).map((alias) => `-${alias}, `)
  return `${short.join('')}--${name}${value}`
}

function entry(name: string, option: Option<unknown>, isMain: boolean, width: number): string {
  const notes = [
    ...(option.required ? ['Required.'] : []),
    ...(option.fallbackText === undefined ? [] : [`Default: ${option.fallbackText}.`]),
    ...longAliases(option).map((alias) => `Also --${alias}.`),
    ...(isMain ? [`Env: ${envName(name)}.`] : []),
  ]
  const doc = wrap(option.doc, width, 6)
  return `  ${optionUsage(name, option)}\n${doc}${notes.length ? '\n' + wrap(notes.join(' '), width, 6) : ''}`
}

/** Other long names of an option. */
export function longAliases({ aliases }: Option<unknown>): string[] {
  return aliases.filter((alias) => alias.length > 1)
}

function columnsOf(left: string, right: string, width: number): string {
  const indent = 30
  return `  ${left}`.padEnd(indent) + wrap(right, width, indent).trimStart()
}

/** Wraps a text at spaces; lines are at most `width` long unless a single word is longer. */
export function wrap(text: string, width: number, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((l) => ' '.repeat(indent) + l).join('\n')
}
