import type { AccountOverride } from '../accountOverrides.ts'
import type { BlockOverrides } from '../blockOverrides.ts'
import type { Call } from '../call.ts'

/** A block to simulate. */
export interface BlockCalls {
  readonly block: BlockOverrides
  readonly state: readonly AccountOverride[]
  readonly calls: readonly Call[]
}

/** Blocks to simulate, and how. */
export interface Simulation {
  readonly blocks: readonly BlockCalls[]
  /** Movements of ether are shown as logs. */
  readonly traceTransfers: boolean
  /** Nonces, fees and base fees are enforced as for real transactions. */
  readonly validation: boolean
}
