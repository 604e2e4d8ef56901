import type { HashedBlock } from '../../chain/view.ts'
import type { ConnectedNode } from '../connectParts.ts'
import type { ChangedBlock, ToServers, Wanted } from './messages.ts'
import { poolFeeds } from './poolFeeds.ts'

/** Tells servers in another thread what happens. */
export interface ServerNews {
  /** Tells of these events too, or of none of them any more. */
  want(wanted: Wanted): void
  stop(): void
}

const placeOf = ({ header, hash }: Pick<HashedBlock, 'header' | 'hash'>): ChangedBlock => ({
  number: header.number,
  hash,
})

export function tellServers(
  { chain, pooling, peerNetwork, privacy }: ConnectedNode,
  put: (message: ToServers) => void,
): ServerNews {
  const { onPending, onPendingEntry, onDropped } = poolFeeds(pooling.pool)
  const always = [
    chain.onHead(({ head, added, removed }) =>
      put({ kind: 'head', head: placeOf(head), added: added.map(placeOf), removed: removed.map(placeOf) }),
    ),
    onPending((hash) => put({ kind: 'pending', hash })),
    peerNetwork.sync.onStatus((status) => put({ kind: 'sync', status })),
  ]
  const starts = {
    entries: () => onPendingEntry((entry) => put({ kind: 'entry', entry })),
    dropped: () => onDropped((hash) => put({ kind: 'dropped', hash })),
    privateLogs: () => privacy?.onLogs((logs) => put({ kind: 'privateLogs', logs })) ?? (() => {}),
  }
  const running = new Map<keyof Wanted, () => void>()

  function want(wanted: Wanted): void {
    for (const name of ['entries', 'dropped', 'privateLogs'] as const) {
      const stop = running.get(name)
      if (wanted[name] && !stop) running.set(name, starts[name]())
      else if (!wanted[name] && stop) {
        stop()
        running.delete(name)
      }
    }
  }

  return {
    want,
    stop() {
      for (const stop of [...always, ...running.values()]) stop()
    },
  }
}
