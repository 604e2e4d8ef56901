import { Fault } from '../primitives/fault.ts'

export type CliFault =
  /** The command line, environment or configuration file is wrong: exit code 2. */
  | { code: 'USAGE'; text: string; hint?: string }
  /** The command was understood and could not be carried out: exit code 1. */
  | { code: 'FAILED'; text: string }
  /** A text that is no value of its type; whoever knows the option's name turns it into USAGE. */
  | { code: 'BAD_VALUE'; text: string }

export class CliError extends Fault<CliFault> {}

export function usage(text: string, hint?: string): CliError {
  return new CliError(hint === undefined ? { code: 'USAGE', text } : { code: 'USAGE', text, hint })
}

export function failed(text: string, cause?: unknown): CliError {
  return new CliError({ code: 'FAILED', text }, cause)
}

export function badValue(text: string): CliError {
  return new CliError({ code: 'BAD_VALUE', text })
}
