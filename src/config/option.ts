import { CliError, createProblems, usage } from './fault.ts'
import type { OptionCodec } from './values.ts'

/** The texts of the options that were set by flag, environment or configuration file, by name. */
export type GivenTexts = ReadonlyMap<string, string>

/** The default of an option. */
export type Fallback<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** Depends on which other options were set; `text` describes it. */
  | { readonly kind: 'derived'; readonly text: string; of(given: GivenTexts): T }
  | { readonly kind: 'unset'; readonly text: string }
  | { readonly kind: 'required' }

export interface Option<T> {
  readonly codec: Pick<OptionCodec<unknown>, 'label' | 'arity'>
  readonly group: string
  readonly doc: string
  readonly aliases: readonly string[]
  /** Description of the default for help; undefined if there is none. */
  readonly fallbackText: string | undefined
  readonly required: boolean
  /** What an operator should know about a given value; undefined if there is nothing to say. */
  readonly warning?: (name: string, text: string) => string | undefined
  /** Decodes the given text, or returns the default; `name` is for error messages. */
  settle(name: string, text: string | undefined, given: GivenTexts): T
}

export type Options = Readonly<Record<string, Option<unknown>>>

/** The values of a table of options. */
export type Values<O extends Options> = { readonly [K in keyof O]: ReturnType<O[K]['settle']> }

export const required = { kind: 'required' } as const

/** No default; `text` describes what happens if the option is not set. */
export function unset(text = ''): { readonly kind: 'unset'; readonly text: string } {
  return { kind: 'unset', text }
}

/** A default that depends on which other options were set. */
export function derived<T>(text: string, of: (given: GivenTexts) => T): Fallback<T> & { kind: 'derived' } {
  return { kind: 'derived', text, of }
}

interface More {
  readonly aliases?: readonly string[]
  readonly warning?: Option<unknown>['warning']
  /** An empty text counts as if the option were not set: charts write every option of a feature that is off. */
  readonly mayBeEmpty?: true
}

/** An entry of an option table. */
export function option<T>(
  codec: OptionCodec<T>,
  fallback: ReturnType<typeof unset>,
  group: string,
  doc: string,
  more?: More,
): Option<T | undefined>
export function option<T>(
  codec: OptionCodec<T>,
  fallback: NoInfer<T> | (Fallback<NoInfer<T>> & { kind: 'derived' }) | typeof required,
  group: string,
  doc: string,
  more?: More,
): Option<T>
export function option<T>(
  codec: OptionCodec<T>,
  fallback: Fallback<NoInfer<T> | undefined> & { kind: 'derived' },
  group: string,
  doc: string,
  more?: More,
): Option<T | undefined>
export function option<T>(
  codec: OptionCodec<T>,
  fallback: T | Fallback<T>,
  group: string,
  doc: string,
  { aliases = [], warning, mayBeEmpty }: More = {},
): Option<T | undefined> {
  const otherwise: Fallback<T> = isFallback(fallback) ? fallback : { kind: 'value', value: fallback }
  return {
    codec,
    group,
    doc,
    aliases,
    fallbackText: describe(codec, otherwise),
    required: otherwise.kind === 'required',
    ...(warning && { warning }),
    ...(mayBeEmpty && { warning: warnOfEmpty }),
    settle(name, text, given) {
      if (text !== undefined && !(mayBeEmpty && text === '')) return decodeValue(codec, name, text)
      if (otherwise.kind === 'value') return otherwise.value
      return otherwise.kind === 'derived' ? otherwise.of(given) : undefined
    },
  }
}

function warnOfEmpty(name: string, text: string): string | undefined {
  return text === '' ? `Option '--${name}' is empty, as if it were not set` : undefined
}

/** Returns the values of a table of options, from the texts that were given for some of them; throws all problems at once. */
export function settleAll<O extends Options>(options: O, texts: GivenTexts): Values<O> {
  const problems = createProblems()
  const settled = Object.entries(options).map(([name, o]) => [
    name,
    problems.collect(() => o.settle(name, texts.get(name), texts)),
  ])
  problems.throwAny()
  return Object.fromEntries(settled) as Values<O>
}

/** Decodes a value; throws a usage error that names the option. */
export function decodeValue<T>(codec: OptionCodec<T>, name: string, text: string): T {
  try {
    return codec.decode(text)
  } catch (error) {
    if (error instanceof CliError && error.at.code === 'BAD_VALUE')
      throw usage(`Invalid value for option '--${name}': ${error.at.text}`)
    throw error
  }
}

function isFallback<T>(x: T | Fallback<T>): x is Fallback<T> {
  return typeof x === 'object' && x !== null && 'kind' in x
}

function describe<T>(codec: OptionCodec<T>, fallback: Fallback<T>): string | undefined {
  if (fallback.kind === 'value') return codec.encode(fallback.value)
  return fallback.kind === 'required' ? undefined : fallback.text || undefined
}

/** Texts given for options, by option name; the items of repeated lists are joined by commas. */
export type Given = ReadonlyMap<string, string>

/** Maps every name and alias to the name of its option. */
export function optionNames(options: Options): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, { aliases }] of Object.entries(options)) for (const n of [name, ...aliases]) names.set(n, name)
  return names
}
