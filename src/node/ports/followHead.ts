import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { Logger } from '../../primitives/logger.ts'
import type { Filters } from '../../rpc/events/filters.ts'
import type { SyncPort } from '../../rpc/protocol/context.ts'
import type { Pooling } from '../createPooling.ts'

export interface HeadFollowers {
  readonly chain: Pick<Chain, 'onHead'>
  readonly pooling: Pick<Pooling, 'pool' | 'forgetHead'>
  readonly filters: Filters
  readonly sync: SyncPort
  readonly clock: Clock
  readonly log: Logger
}

/** Passes each new head to the log, the pool and the filters, and each new transaction of the pool to the filters. */
export function followHead({ chain, pooling, filters, sync, clock, log }: HeadFollowers): void {
  const { pool, forgetHead } = pooling
  chain.onHead((event) => {
    const number = Number(event.head.header.number)
    const txs = event.added.at(-1)?.block.transactions.length ?? 0
    // While the node catches up, synchronisation logs its progress.
    log[sync.status() ? 'debug' : 'info']({ number, txs }, 'new head')
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
