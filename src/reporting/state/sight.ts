import type { ProposerReport } from '../../consensus/producing/producer.ts'
import type { ForkWarning } from '../../forks/forkWarnings.ts'
import type { RefusedPeer } from '../../net/eth/refusedPeers.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { ExpectedPeriod } from '../expectedPeriod.ts'
import type { StallSight } from '../explainStall.ts'
import type { ArrivalReport } from './arrivals.ts'
import type { DiskSpace } from './diskSpace.ts'

/** What a node knows when it is asked for the state of its network. */
export interface NetworkSight extends StallSight {
  readonly head: number
  /** Milliseconds since the last block came, or since the node started. */
  readonly sinceBlock: number
  /** Undefined where blocks come only with transactions. */
  readonly expected: ExpectedPeriod | undefined
  /** Validators that must take part. */
  readonly needed: number
  readonly arrivals: ArrivalReport
  /** Validators that made none of the last blocks though it was their turn. */
  readonly absent: readonly Address[]
  readonly proposers: ProposerReport
  /** Undefined where the peer-to-peer network is disabled. */
  readonly peers: number | undefined
  readonly refused: readonly RefusedPeer[]
  /** Undefined until it was measured. */
  readonly disk: DiskSpace | undefined
  readonly forks: readonly ForkWarning[]
}
