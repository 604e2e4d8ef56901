import type { Pool } from '../../pool/pool.ts'
import type { NodeFeeds } from './feeds.ts'

/** The events of the pool that servers are notified of. */
export function poolFeeds(
  pool: Pick<Pool, 'subscribe'>,
): Pick<NodeFeeds, 'onPending' | 'onPendingEntry' | 'onDropped'> {
  const onPendingEntry: NodeFeeds['onPendingEntry'] = (listener) =>
    pool.subscribe((event) => {
      if (event.type === 'added') listener(event.entry)
    })
  return {
    onPending: (listener) => onPendingEntry(({ hash }) => listener(hash)),
    onPendingEntry,
    onDropped: (listener) =>
      pool.subscribe((event) => {
        // Mined transactions are not dropped.
        if (event.type === 'dropped' && event.reason.code !== 'MINED') listener(event.entry.hash)
      }),
  }
}
