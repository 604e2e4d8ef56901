import { authorities } from '../support/authorityChain.ts'
import { runBft } from './bftSim.ts'
import { runClique } from './cliqueSim.ts'
import { type FaultName, faultNames } from './faults.ts'
import { runMigration } from './migrationSim.ts'
import type { Mutant } from './mutants.ts'
import type { RunFigures } from './run.ts'
import type { TopologyName } from './topology.ts'
import { Violation } from './world.ts'

/** Networks that keep their engine, and those that change it. */
export const engineNames = ['qbft', 'ibft2', 'clique', 'ibft2-qbft', 'clique-qbft'] as const
export type EngineName = (typeof engineNames)[number]

/** Which runs to make. */
export interface Simulation {
  readonly engine: EngineName
  readonly validators: number
  /** All unless said otherwise. */
  readonly faults?: readonly FaultName[]
  readonly mutant?: Mutant | undefined
  readonly realCrypto?: boolean
  /** How BFT validators are connected; as chance has it unless said otherwise. */
  readonly topology?: TopologyName | 'random' | undefined
}

/** How a run ended: `broken` says which promise was not kept. */
export type Outcome =
  | { readonly seed: number; readonly broken: string }
  | (RunFigures & { readonly broken?: undefined })

/** Gives a function that runs one seed after the other of the same kind of network. */
export function createSimulator(simulation: Simulation) {
  const { engine, validators, faults = faultNames, mutant, realCrypto = false, topology } = simulation
  const keys = authorities(validators)
  const allowed = new Set(faults)
  return (seed: number, trace?: (line: string) => void): Outcome => {
    const options = { seed, keys, allowed, realCrypto, trace, topology }
    try {
      switch (engine) {
        case 'clique':
          return runClique(options, mutant?.clique)
        case 'ibft2-qbft':
          return runMigration('ibft2', options, mutant?.migration)
        case 'clique-qbft':
          return runMigration('clique', options, mutant?.migration)
        default:
          return runBft(engine, options, mutant?.bft)
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      return { seed, broken: error.message }
    }
  }
}
