import type { Given, Options, Values } from '../config/option.ts'
import type { Config } from '../config/options.ts'
import type { Io } from './io.ts'

/** What a command gets in addition to its own options. */
export interface CommandContext {
  /** The main command's options, from all sources. */
  readonly config: Config
  /** The main command's options that were set by flag. */
  readonly given: Given
  readonly io: Io
  /** Positional parameters. */
  readonly operands: readonly string[]
}

/** Positional parameters of a command. */
export interface Operand {
  readonly label: string
  readonly doc: string
  /** At most one, at least one, or any number. */
  readonly arity: 'optional' | 'some' | 'any'
}

/** A command, or a group of subcommands. */
export interface Command {
  readonly name: string
  readonly doc: string
  readonly options: Options
  readonly operand?: Operand
  readonly children: readonly Command[]
  /** Returns the exit code; undefined for a group, which prints its help. */
  readonly run: ((values: Readonly<Record<string, unknown>>, call: CommandContext) => Promise<number>) | undefined
}

/** Declares a command. */
export function command<O extends Options>(
  name: string,
  doc: string,
  options: O,
  run: (values: Values<O>, call: CommandContext) => number | Promise<number>,
  operand?: Operand,
): Command {
  return {
    name,
    doc,
    options,
    ...(operand && { operand }),
    children: [],
    // The parser decodes exactly `options`, so the record has these values.
    run: async (values, call) => run(values as Values<O>, call),
  }
}

/** Declares a group of subcommands. */
export function commandGroup(name: string, doc: string, children: readonly Command[]): Command {
  return { name, doc, options: {}, children, run: undefined }
}
