import type { Rules } from '../../../src/forks/rules.ts'
import type { Random } from '../random.ts'

/** What a program can know of the world that it will run in. */
export interface Surroundings {
  readonly rules: Rules
  readonly contracts: readonly bigint[]
  /** Accounts without code, accounts that are not there, precompiles. */
  readonly others: readonly bigint[]
  /** Init code inside init code: how deep. */
  readonly nesting: number
}

const precompiles = [...Array.from({ length: 18 }, (_, i) => BigInt(i + 1)), 0x100n]

export function anyPrecompile(random: Random): bigint {
  return random.pick(precompiles)
}

/** An address that it is worth to ask about or to call. */
export function anyAddress(random: Random, { contracts, others }: Surroundings): bigint {
  return random.weighted([
    [60, () => random.pick(contracts)],
    [30, () => random.pick(others)],
    [10, () => anyPrecompile(random)],
  ])()
}
