import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Withdrawal } from '../../types/withdrawal.ts'
import type { AccountOverride } from '../accountOverrides.ts'
import type { Call } from '../call.ts'

/** What a simulated block has in place of what would follow from its parent. */
export interface BlockOverrides {
  readonly number?: bigint | undefined
  readonly time?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly feeRecipient?: Address | undefined
  readonly prevRandao?: Hash32 | undefined
  readonly baseFee?: bigint | undefined
  readonly blobBaseFee?: bigint | undefined
  readonly beaconRoot?: Hash32 | undefined
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

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
