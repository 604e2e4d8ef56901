import type { Chain } from '../../chain/chain.ts'
import type { Filters } from '../../rpc/events/filters.ts'
import type { Pooling } from '../createPooling.ts'

export interface HeadFollowers {
  readonly chain: Pick<Chain, 'onHead'>
  readonly pooling: Pick<Pooling, 'pool' | 'onHead'>
  readonly filters: Filters
}

/** Passes each new head to the pool and the filters, and each new transaction of the pool to the filters. */
export function followHead({ chain, pooling, filters }: HeadFollowers): void {
  chain.onHead((event) => {
    pooling.onHead(event)
    filters.onHead(event)
  })
  pooling.pool.subscribe((event) => {
    if (event.type === 'added') filters.onPending(event.entry.hash)
  })
}
