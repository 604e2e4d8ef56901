import type { Address } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'

/** Why blocks cannot be simulated; a call that cannot be run is a TxError. */
export type SimulationFault =
  | { code: 'NO_BLOCKS' }
  | { code: 'TOO_MANY_BLOCKS' }
  | { code: 'NUMBER_ORDER'; have: bigint; last: bigint }
  | { code: 'TIMESTAMP_ORDER'; have: bigint; last: bigint }
  | { code: 'BLOCK_GAS_LIMIT'; used: bigint; want: bigint; limit: bigint }
  | { code: 'NOT_A_PRECOMPILE'; address: Address }
  | { code: 'TAKEN_BY_PRECOMPILE'; address: Address }
  | { code: 'TARGET_OVERRIDDEN'; address: Address }
  | { code: 'STORAGE_TOO_LARGE' }
  /** Peers that sent the state know hashes of slots only. */
  | { code: 'SLOTS_UNKNOWN' }
export class SimulationError extends Fault<SimulationFault> {}
