import type { FaultName } from './faults.ts'
import type { Limp } from './limp.ts'
import { findLimp, type WorstLimp, worstLimpOf } from './limpTable.ts'
import { mutants } from './mutants.ts'
import type { Outage } from './recovery.ts'
import { findSlowRecovery, type Worst, worstOf } from './recoveryTable.ts'
import { createSimulator, type EngineName, type Outcome } from './simulate.ts'
import type { TopologyName } from './topology.ts'

/** Which runs to make, in a form that another thread can be told. */
export interface Plan {
  readonly engine: EngineName
  readonly validators: number
  readonly faults: readonly FaultName[]
  /** By name. */
  readonly mutant: string | undefined
  readonly realCrypto: boolean
  readonly topology?: TopologyName | 'random' | undefined
}

/** Something to do, as its arguments. */
export interface Tasks {
  /** Runs seeds, both ends included. */
  runSeeds(plan: Plan, first: number, last: number): readonly Outcome[]
  /** Runs seeds until one shows the bug of the plan; undefined when none does. */
  findMutant(plan: Plan, first: number, last: number): string | undefined
  recover(outage: Outage, maxRuns: number): Worst
  limp(terms: Limp, seeds: number): WorstLimp
}

const mutantOf = (name: string | undefined) => mutants.find((mutant) => mutant.name === name)

export const tasks: Tasks = {
  runSeeds({ mutant, ...plan }, first, last) {
    const run = createSimulator({ ...plan, mutant: mutantOf(mutant) })
    return Array.from({ length: last - first + 1 }, (_, i) => run(first + i))
  },
  findMutant({ mutant: name, ...plan }, first, last) {
    const mutant = mutantOf(name)!
    if (plan.engine === 'qbft' || plan.engine === 'ibft2') {
      const slow = findSlowRecovery(plan.engine, mutant.bft!)
      if (slow !== undefined) return `recovery: ${slow}`
      const limps = findLimp(plan.engine, mutant.bft!)
      if (limps !== undefined) return `limp: ${limps}`
    }
    const run = createSimulator({ ...plan, mutant })
    for (let seed = first; seed <= last; seed++) {
      const { broken } = run(seed)
      if (broken !== undefined) return `seed ${seed}: ${broken}`
    }
    return undefined
  },
  recover: worstOf,
  limp: worstLimpOf,
}
