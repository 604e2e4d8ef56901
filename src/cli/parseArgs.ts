import { type CliError, usage } from '../config/fault.ts'
import { type Given, type Option, type Options, optionNames } from '../config/option.ts'
import { suggest } from '../primitives/suggest.ts'
import { besuCommandHint } from './besuCommands.ts'
import type { Command } from './command.ts'

export interface Parsed {
  /** From the main command to the selected subcommand. */
  readonly path: readonly Command[]
  /** Options given to each of them. */
  readonly given: readonly Given[]
  /** Positional parameters of the last of them. */
  readonly operands: readonly string[]
  readonly wants: 'run' | 'help' | 'version'
}

interface Level {
  readonly command: Command
  readonly options: Options
  readonly names: ReadonlyMap<string, string>
  readonly given: Map<string, string>
  readonly operands: string[]
}

interface Unmatched {
  readonly index: number
  readonly arg: string
}

/** Parses a command line; main options precede the subcommand, its own follow it. Values are not decoded. */
export function parseArgs(argv: readonly string[], main: Command, tolerated: Options = {}): Parsed {
  const levels: Level[] = [openLevel(main, { ...main.options, ...tolerated })]
  const unmatched: Unmatched[] = []
  let wants: Parsed['wants'] = 'run'
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]!
    const level = levels.at(-1)!
    if (arg === '-h' || arg === '--help') wants = 'help'
    else if (arg === '-V' || arg === '--version') wants = wants === 'help' ? 'help' : 'version'
    else if (arg.startsWith('-') && arg.length > 1) {
      const { name, value } = splitOption(arg)
      const known = level.names.get(name)
      if (known === undefined) unmatched.push({ index: i, arg })
      else {
        const option = level.options[known]!
        const next = argv[i + 1]
        const takesNext = value === undefined && mayBeValue(option, next)
        if (takesNext) i++
        give(level, known, option, takesNext ? next : value)
      }
    } else {
      const child = level.command.children.find(({ name }) => name === arg)
      if (child) levels.push(openLevel(child, child.options))
      else if (takesOperand(level)) level.operands.push(arg)
      else unmatched.push({ index: i, arg })
    }
  }
  if (unmatched.length) {
    // A word where an option is missing is often its value: as in Besu the missing option is named first.
    const { command, given } = levels.at(-1)!
    if (wants === 'run' && !unmatched.some(({ arg }) => arg.startsWith('-'))) requireOptions(command, given)
    throw complain(unmatched, levels)
  }
  return {
    path: levels.map(({ command }) => command),
    given: levels.map(({ given }) => given),
    operands: levels.at(-1)!.operands,
    wants,
  }
}

/** Throws if a command lacks an option that it requires. */
export function requireOptions({ options }: Command, given: Given): void {
  const missing = Object.entries(options).filter(([name, option]) => option.required && !given.has(name))
  if (missing.length === 0) return
  const names = missing.map(([name, option]) => `'--${name}=<${option.codec.label}>'`)
  throw usage(`Missing required option${names.length > 1 ? 's' : ''}: ${names.join(', ')}`)
}

function takesOperand({ command, operands }: Level): boolean {
  if (!command.operand) return false
  return command.operand.arity !== 'optional' || operands.length === 0
}

function openLevel(command: Command, options: Options): Level {
  return { command, options, names: optionNames(options), given: new Map(), operands: [] }
}

/** `--name`, `--name=value`, `-n`, `-n=value` or `-nvalue`. */
function splitOption(arg: string): { name: string; value: string | undefined } {
  if (!arg.startsWith('--')) {
    const rest = arg.slice(2)
    return { name: arg[1]!, value: rest === '' ? undefined : rest.replace(/^=/, '') }
  }
  const equals = arg.indexOf('=')
  if (equals < 0) return { name: longName(arg.slice(2)), value: undefined }
  return { name: longName(arg.slice(2, equals)), value: arg.slice(equals + 1) }
}

// A single letter is an option only after a single dash.
function longName(name: string): string {
  return name.length === 1 ? '' : name
}

function mayBeValue(option: Option<unknown>, next: string | undefined): boolean {
  if (next === undefined) return false
  if (option.codec.arity === 'flag') return /^(true|false)$/i.test(next)
  return !/^-{1,2}[a-z]/i.test(next)
}

function give(level: Level, name: string, option: Option<unknown>, value: string | undefined): void {
  const { label, arity } = option.codec
  const text = value ?? (arity === 'flag' ? 'true' : undefined)
  if (text === undefined) throw usage(`Missing required parameter for option '--${name}' (<${label}>)`)
  const before = level.given.get(name)
  if (before !== undefined && arity !== 'many')
    throw usage(`option '--${name}' (<${label}>) should be specified only once`)
  level.given.set(name, before === undefined ? text : `${before},${text}`)
}

function complain(unmatched: readonly Unmatched[], levels: readonly Level[]): CliError {
  const { index, arg } = unmatched[0]!
  if (arg.startsWith('-')) {
    const options = unmatched.filter((u) => u.arg.startsWith('-')).map((u) => u.arg.replace(/=.*$/s, ''))
    return unknownOptions(options, levels)
  }
  const words = quoteAll(unmatched.map((u) => u.arg))
  const text = `Unmatched argument${unmatched.length > 1 ? 's from' : ' at'} index ${index}: ${words}`
  const { children } = levels.at(-1)!.command
  const commands = children.flatMap(({ name, children }) => [name, ...children.map((c) => `${name} ${c.name}`)])
  const gone = besuCommandHint([...levels.slice(1).map(({ command }) => command.name), arg].join(' '))
  if (gone !== undefined) return usage(text, gone)
  const near = suggest(arg, commands)
  return near.length ? usage(text, `Did you mean: ${near.join(' or ')}?`) : usage(text)
}

function unknownOptions(unknown: readonly string[], levels: readonly Level[]): CliError {
  const text = `Unknown option${unknown.length > 1 ? 's' : ''}: ${quoteAll(unknown)}`
  const bare = unknown.map((option) => option.replace(/^-+/, ''))
  if (levels.length > 1 && levels[0]!.names.has(bare[0]!))
    return usage(text, `${unknown[0]} must be placed before '${levels[1]!.command.name}'`)
  const names = [...optionNames(levels.at(-1)!.command.options).keys(), 'help', 'version'].filter(
    (name) => name.length > 1,
  )
  const near = bare.flatMap((option) => suggest(option, names))
  return near.length ? usage(text, `Possible solutions: ${near.map((name) => `--${name}`).join(', ')}`) : usage(text)
}

function quoteAll(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
