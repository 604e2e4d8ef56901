import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { Filters } from '../../rpc/events/filters.ts'
import type { Pooling } from '../createPooling.ts'

export interface HeadFollowers {
  readonly chain: Pick<Chain, 'onHead'>
  readonly pooling: Pick<Pooling, 'pool' | 'forgetHead'>
  readonly filters: Filters
  readonly clock: Clock
}

/** Passes each new head to the pool and the filters, and each new transaction of the pool to the filters. */
export function followHead({ chain, pooling, filters, clock }: HeadFollowers): void {
  const { pool, forgetHead } = pooling
  chain.onHead((event) => {
    forgetHead()
    pool.onHead({
      added: event.added.flatMap(({ block }) => block.transactions),
      removed: event.removed.flatMap(({ block }) => block.transactions),
      now: clock.now(),
    })
    filters.onHead(event)
  })
  pool.subscribe((event) => {
    if (event.type === 'added') filters.onPending(event.entry.hash)
  })
}
