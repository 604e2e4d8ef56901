import type { Authority } from '../support/authorityChain.ts'
import type { FaultName } from './faults.ts'
import type { TopologyName } from './topology.ts'

/** One run of a network. */
export interface RunOptions {
  readonly seed: number
  /** Who takes part, ascending. */
  readonly keys: readonly Authority[]
  readonly allowed: ReadonlySet<FaultName>
  readonly realCrypto: boolean
  /** How BFT validators are connected; as chance has it unless said otherwise. */
  readonly topology?: TopologyName | 'random' | undefined
  /** Told everything that happens. */
  readonly trace: ((line: string) => void) | undefined
}

export interface RunFigures {
  readonly heights: number
  readonly messages: number
  /** Things that happened. */
  readonly steps: number
}
