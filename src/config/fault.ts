import { Fault } from '../primitives/fault.ts'

/** Why a command failed; `text` is shown to the user. */
export type CliFault =
  /** The command line, environment or configuration file is invalid: exit code 2. */
  | { code: 'USAGE'; text: string; hint?: string }
  /** The command failed: exit code 1. */
  | { code: 'FAILED'; text: string }
  /** A value is invalid; becomes USAGE where the option's name is known. */
  | { code: 'BAD_VALUE'; text: string }

/** A command failed. */
export class CliError extends Fault<CliFault> {}

/** The error for invalid options or parameters; `hint` is shown below the message. */
export function usage(text: string, hint?: string): CliError {
  return new CliError(hint === undefined ? { code: 'USAGE', text } : { code: 'USAGE', text, hint })
}

/** The error for a command that cannot be carried out. */
export function failed(text: string, cause?: unknown): CliError {
  return new CliError({ code: 'FAILED', text }, cause)
}

/** The error for an invalid option value. */
export function badValue(text: string): CliError {
  return new CliError({ code: 'BAD_VALUE', text })
}

/** Problems of a configuration, reported all at once: one per run would be one restart per problem. */
export interface Problems {
  add(text: string): void
  /** Runs an action; a usage error that it throws becomes a problem. */
  collect<T>(action: () => T): T | undefined
  /** Throws a usage error with one line per problem, if there are any. */
  throwAny(): void
}

/** Creates an empty list of problems. */
export function createProblems(): Problems {
  const texts: string[] = []
  return {
    add: (text) => texts.push(text),
    collect(action) {
      try {
        return action()
      } catch (error) {
        if (!(error instanceof CliError) || error.at.code !== 'USAGE') throw error
        texts.push(error.at.text)
        return undefined
      }
    },
    throwAny() {
      if (texts.length) throw usage(texts.join('\n'))
    },
  }
}
