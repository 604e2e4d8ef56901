import { readFileSync } from 'node:fs'
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { suggest } from '../primitives/suggest.ts'
import { type Problems, usage } from './fault.ts'
import { type Given, type Options, optionNames } from './option.ts'

/** Reads the options in a configuration file, as texts; unknown options and wrong types are problems. */
export function readToml(file: string, options: Options, problems: Problems): Given {
  const values = flatten(parseFile(file))
  const names = optionNames(options)
  const unknown = values.map(([key]) => key).filter((key) => key.length === 1 || !names.has(key))
  if (unknown.length) {
    const text = `Unknown option${unknown.length > 1 ? 's' : ''} in TOML configuration file`
    problems.add(`${text}: ${[...new Set(unknown)].sort().join(', ')}${meant(unknown, names)}`)
  }
  const given = new Map<string, string>()
  for (const [key, value] of values) {
    const name = unknown.includes(key) ? undefined : names.get(key)
    if (name === undefined) continue
    const text = problems.collect(() => toText(name, value, options[name]!.codec.arity === 'many'))
    const before = given.get(name)
    if (text === undefined) continue
    // Besu takes one of two names of an option and says nothing, which is safe only where both say the same.
    if (before !== undefined && !sameItems(before, text))
      problems.add(`Option '${name}' is set more than once in TOML configuration file ${file}`)
    given.set(name, text)
  }
  return given
}

/** The keys that are probably meant. */
function meant(unknown: readonly string[], names: ReadonlyMap<string, string>): string {
  const near = [
    ...new Set(
      unknown.flatMap((key) =>
        suggest(
          key,
          [...names.keys()].filter((name) => name.length > 1),
        ),
      ),
    ),
  ]
  return near.length ? `. Did you mean ${near.join(' or ')}?` : ''
}

/** Whether two lists have the same items, in any order and however often. */
function sameItems(one: string, other: string): boolean {
  const items = (text: string) => [...new Set(text.split(','))].sort().join(',')
  return items(one) === items(other)
}

function parseFile(file: string): TomlTable {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw usage(`Unable to read TOML configuration, file not found.${file && ` ${file}`}`)
    throw usage(`Unable to read TOML configuration file ${file}: ${(error as Error).message}`)
  }
  if (source.trim() === '') throw usage(`Unable to read TOML configuration file ${file}`)
  try {
    return parse(source, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')
    throw usage(`Invalid TOML configuration: ${reason} (${file}, line ${error.line}, column ${error.column})`)
  }
}

/** Flattens tables: headings have no meaning. */
function flatten(table: TomlTable): [string, TomlValue][] {
  return Object.entries(table).flatMap(([key, value]) =>
    isTable(value) ? flatten(value) : [[key, value] as [string, TomlValue]],
  )
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}

function toText(name: string, value: TomlValue, many: boolean): string {
  if (!Array.isArray(value)) {
    // Besu silently ignores a single value here, which is never what the operator wants.
    if (many) throw usage(`Invalid value for option '--${name}': expected a list, as in ${name}=["a", "b"]`)
    return value instanceof Date ? value.toISOString() : String(value)
  }
  if (!many) throw usage(`Invalid value for option '--${name}': expected one value but was a list`)
  return value.map((item) => toText(name, item, false)).join(',')
}
