import type { Rules } from '../forks/rules.ts'

/** A precompiled contract. */
export interface Precompile {
  readonly name: string
  /** Returns the gas of a call with this input. */
  gas(input: Uint8Array, rules: Rules): bigint
  /**
   * Returns the output, or undefined on failure, which consumes all gas of the call. `input` is only valid during the
   * call: the output must not be a view of it.
   */
  run(input: Uint8Array): Uint8Array | undefined
}

/** Precompiles by `keyOf(address)`. */
export type PrecompileSet = ReadonlyMap<string, Precompile>
