import { createProblems, type Problems, usage } from './fault.ts'
import { type Given, type Option, type Options, settleAll } from './option.ts'
import { type Config, options } from './options.ts'
import { profileSettings } from './profiles.ts'
import { readToml } from './readToml.ts'
import { unsupported } from './unsupported.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The configuration of a node. */
export interface Resolved {
  readonly config: Config
  /** Names of the options that were set. */
  readonly given: ReadonlySet<string>
  /** One line for each option that was set and does not do what it does in Besu. */
  readonly warnings: readonly string[]
}

/** Prefixes of environment variables, in order of precedence; the last is that of Besu's first versions. */
const prefixes = ['QUOIN', 'BESU', 'PANTHEON'] as const

/** The environment variable of an option. */
export function envName(name: string, prefix: (typeof prefixes)[number] = 'QUOIN'): string {
  return `${prefix}_${name.replaceAll('-', '_').toUpperCase()}`
}

/**
 * Returns the value of every main option: flag, else environment, else configuration file, else profile, else default. Throws all
 * problems at once.
 */
export function resolveConfig(flags: Given, env: Env): Resolved {
  const table: Options = { ...options, ...unsupported }
  const problems = createProblems()
  const toml = readConfigFile(flags, env, table, problems)
  const texts = new Map<string, string>()
  for (const [name, option] of Object.entries(table)) {
    const text = flags.get(name) ?? fromEnv(env, name, option)?.text ?? toml.get(name)
    if (text !== undefined) texts.set(name, text)
  }
  const given = new Map(texts)
  for (const [name, text] of profileSettings(texts.get('profile'))) if (!texts.has(name)) texts.set(name, text)
  problems.collect(() => settleAll(unsupported, texts))
  const config = problems.collect(() => settleAll(options, texts))
  problems.throwAny()
  return { config: config!, given: new Set(given.keys()), warnings: warningsOf(table, given) }
}

function warningsOf(table: Options, texts: Given): string[] {
  return [...texts].flatMap(([name, text]) => table[name]!.warning?.(name, text) ?? [])
}

function fromEnv(env: Env, name: string, { aliases }: Option<unknown>): { variable: string; text: string } | undefined {
  for (const prefix of prefixes) {
    for (const n of [name, ...aliases.filter((alias) => alias.length > 1)]) {
      const variable = envName(n, prefix)
      const text = env[variable]
      if (text !== undefined) return { variable, text }
    }
  }
  return undefined
}

function readConfigFile(flags: Given, env: Env, table: Options, problems: Problems): Given {
  const flag = flags.get('config-file')
  const variable = fromEnv(env, 'config-file', options['config-file'])
  if (flag !== undefined && variable !== undefined)
    throw usage(`TOML file specified using ${variable.variable}=${variable.text} and --config-file [${flag}]`)
  const file = flag ?? variable?.text
  if (file === undefined) return new Map()
  const toml = readToml(file, table, problems)
  if (toml.has('config-file')) problems.add('Option config-file cannot be set in a TOML configuration file')
  return toml
}
