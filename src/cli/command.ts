import type { Options, Values } from '../config/option.ts'
import type { Config } from '../config/options.ts'
import type { Io } from './io.ts'

/** What a command gets besides its own options. */
export interface Call {
  /** The main command's options, from all their sources. */
  readonly config: Config
  readonly io: Io
  /** What follows its options without a name. */
  readonly operands: readonly string[]
}

/** What a command takes besides options. */
export interface Operand {
  readonly label: string
  readonly doc: string
  /** One at most, at least one, or as many as there are. */
  readonly arity: 'optional' | 'some' | 'any'
}

/** A subcommand: either it runs, or it has children. */
export interface Command {
  readonly name: string
  readonly doc: string
  readonly options: Options
  readonly operand?: Operand
  readonly children: readonly Command[]
  /** Gives the exit code; undefined for a mere group, which prints its help. */
  readonly run: ((values: Readonly<Record<string, unknown>>, call: Call) => Promise<number>) | undefined
}

/** A command that does something. */
export function command<O extends Options>(
  name: string,
  doc: string,
  options: O,
  run: (values: Values<O>, call: Call) => number | Promise<number>,
  operand?: Operand,
): Command {
  return {
    name,
    doc,
    options,
    ...(operand && { operand }),
    children: [],
    // The parser settles `options` and nothing else, so that the record has exactly these values.
    run: async (values, call) => run(values as Values<O>, call),
  }
}

/** A name in front of other commands. */
export function commandGroup(name: string, doc: string, children: readonly Command[]): Command {
  return { name, doc, options: {}, children, run: undefined }
}
