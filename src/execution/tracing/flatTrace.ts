import type { Halt } from '../../evm/message.ts'
import type { Address } from '../../primitives/bytes.ts'

/** What was asked for; only the members that apply are there. */
export interface FlatAction {
  creationMethod?: 'create' | 'create2'
  callType?: string
  from?: Address
  gas?: bigint
  input?: Uint8Array
  to?: Address
  init?: Uint8Array
  author?: Address
  rewardType?: 'block' | 'uncle'
  value?: bigint
  address?: Address
  balance?: bigint
  refundAddress?: Address
}

/** What came of it. */
export interface FlatResult {
  address?: Address
  code?: Uint8Array
  gasUsed: bigint
  output?: Uint8Array
}

/** A call, creation or self-destruction, with its place in the tree of all of them; or a reward. */
export interface FlatTrace {
  readonly type: 'call' | 'create' | 'suicide' | 'reward'
  readonly action: FlatAction
  /** Null where there is nothing; not shown beside an error. */
  readonly result: FlatResult | null
  readonly error: Halt | undefined
  readonly revertReason: Uint8Array | undefined
  readonly subtraces: number
  readonly traceAddress: readonly number[]
}
