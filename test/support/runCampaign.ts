import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command line that cannot be understood: a sentence for the person who wrote it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What came of a campaign. */
export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** Where a campaign tells what it does. */
export interface Progress {
  /** Prints a line that stays. */
  print(line: string): void
  /** Shows what is done by now, where somebody watches; the next line takes its place. */
  show(text: string): void
}

type Options = NonNullable<ParseArgsConfig['options']>
type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>

export interface Campaign<O extends Options> {
  readonly usage: string
  /** Options besides `--help`. */
  readonly options: O
  /** How many words may stand beside them, such as names of tests; none when left out. */
  readonly words?: number
  /** Whether it ends by itself when `signal` is aborted; other campaigns end with their process. */
  readonly endsOnSignal?: boolean
  /** Undefined where nothing was asked for: then the usage is shown. */
  run(given: Arguments<O> & Progress & { readonly signal: AbortSignal }): Tally | undefined | Promise<Tally | undefined>
}

/**
 * Runs the command of a campaign: reads its arguments, closes with `N passed, N failed`, and sets the exit code, which is 2 if the
 * command line is wrong and 1 if something failed, nothing ran or the campaign was interrupted.
 */
export async function runCampaign<O extends Options>(campaign: Campaign<O>): Promise<void> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // Folders are removed when the process exits.
      if (!campaign.endsOnSignal || interruption.signal.aborted) process.exit(1)
      interruption.abort()
    })
  try {
    process.exitCode = await perform(campaign, interruption.signal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}

async function perform<O extends Options>(campaign: Campaign<O>, signal: AbortSignal): Promise<number> {
  const { usage, options, words = 0, run } = campaign
  const progress = createProgress()
  const args = process.argv.slice(2)
  const given = args.includes('--help') ? undefined : readArguments(options, words, args)
  const tally = given && (await run({ ...given, ...progress, signal }))
  if (!tally) {
    process.stdout.write(usage)
    return 0
  }
  progress.print(`${tally.passed} passed, ${tally.failed} failed`)
  return tally.failed === 0 && tally.passed > 0 && !signal.aborted ? 0 : 1
}

/** Options and words of a command line; throws where one of them is not known. */
export function readArguments<O extends Options>(options: O, words: number, args: readonly string[]): Arguments<O> {
  const given = parse(options, args)
  const extra = (given.positionals as readonly string[])[words]
  if (extra !== undefined) throw new UsageError(`Unexpected '${extra}'; --help shows what can be given.`)
  return given
}

function parse<O extends Options>(options: O, args: readonly string[]): Arguments<O> {
  try {
    return parseArgs({ options, args: [...args], allowPositionals: true }) as Arguments<O>
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Its first sentence says what is wrong; the others are about words that begin with a dash.
    throw new UsageError(`${error.message.split(/\.\s/, 1)[0]!.replace(/\.$/, '')}; --help shows what can be given.`)
  }
}

function createProgress(): Progress {
  const isWatched = process.stderr.isTTY === true
  const clear = () => isWatched && process.stderr.write('\r\x1b[K')
  return {
    print(line) {
      clear()
      process.stdout.write(`${line}\n`)
    },
    show(text) {
      if (!isWatched) return
      clear()
      process.stderr.write(text)
    },
  }
}

/** Reads the number of an option. */
export function numberOf(name: string, given: string | undefined, otherwise: number, min: number, max: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (!(value >= min && value <= max)) throw new UsageError(`--${name} takes ${min} to ${max}, not '${given}'.`)
  return value
}

/** Reads the whole number of an option. */
export function countOf(name: string, given: string | undefined, otherwise: number, min: number, max: number): number {
  const value = numberOf(name, given, otherwise, min, max)
  if (!Number.isInteger(value)) throw new UsageError(`--${name} takes a whole number, not '${given}'.`)
  return value
}

/** Reads an option that has to be one of some words. */
export function oneOf<const T extends string>(name: string, words: readonly T[], given: string): T {
  const found = words.find((word) => word === given)
  if (found === undefined) throw new UsageError(`--${name} knows ${words.join(', ')}, not '${given}'.`)
  return found
}

/** Those of a list that a command line names; throws where it names another one. */
export function namedOf<T extends { readonly name: string }>(
  kind: string,
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  return names.map((name) => {
    const found = all.find((one) => one.name === name)
    if (!found) throw new UsageError(`There is no ${kind} '${name}'; --help lists them.`)
    return found
  })
}
