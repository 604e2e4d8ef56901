import { Fault } from '../../primitives/fault.ts'
import { durationOf } from './duration.ts'
import type { Past } from './past.ts'

/** Why something of a block cannot be read that is in the chain. */
export type PastFault =
  /** Only the header of `block` is there. */
  | { code: 'BLOCK_NOT_HERE'; block: number; past: Past }
  /** The state of a recent block is being taken over: there is none yet. */
  | { code: 'STATE_NOT_HERE' }

/** Its message is for who asks. */
export class PastError extends Fault<PastFault> {
  constructor(at: PastFault) {
    super(at, undefined, sentence(at))
  }
}

function sentence(at: PastFault): string {
  if (at.code === 'STATE_NOT_HERE')
    return 'the state of this network is not here yet: it is being downloaded; eth_syncing and the log say how far it is'
  const { block, past } = at
  const { first, wanted, perMinute } = past
  const here = `this node has the transactions and receipts of blocks from ${first} on`
  if (block < wanted) return `block ${block} is not kept: ${here}`
  const when = perMinute > 0 ? `about ${durationOf((60 * (first - block)) / perMinute)}` : 'a while'
  return `block ${block} is not here yet: ${here}; earlier ones are being downloaded, and it comes in ${when}`
}
