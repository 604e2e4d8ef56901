import { createAnnouncer } from '../../chain/announcer.ts'
import type { HeadEvent } from '../../chain/events.ts'
import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { PrivateLogs } from '../../privacy/execution/privateLogs.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import type { Feed, NodeFeeds } from './feeds.ts'
import type { ChangedBlock, ToServers, Wanted } from './messages.ts'

/** What the thread of the chain reports, for listeners in that of the servers. */
export interface RemoteFeeds {
  readonly feeds: NodeFeeds
  readonly onPrivateLogs: Feed<PrivateLogs>
  /** Called before all others. */
  readonly onNewHead: Feed<undefined>
  receive(message: ToServers): void
}

/** `view` is the chain as of the last head that was reported, or a later one. */
export function createRemoteFeeds(view: () => ChainView, want: (wanted: Wanted) => void): RemoteFeeds {
  const newHeads = createAnnouncer<undefined>()
  const heads = createAnnouncer<HeadEvent>()
  const pending = createAnnouncer<Hash32>()
  const sync = createAnnouncer<SyncStatus | undefined>()
  const listening = { entries: 0, dropped: 0, privateLogs: 0 }

  function update(name: keyof Wanted, change: 1 | -1): void {
    listening[name] += change
    const { entries, dropped, privateLogs } = listening
    want({ entries: entries > 0, dropped: dropped > 0, privateLogs: privateLogs > 0 })
  }

  /** Events that the chain's thread reports only while somebody listens. */
  function createWanted<E>(name: keyof Wanted): { readonly announce: (event: E) => void; readonly feed: Feed<E> } {
    const { announce, subscribe } = createAnnouncer<E>()
    return {
      announce,
      feed(listener) {
        const stop = subscribe(listener)
        update(name, 1)
        return () => {
          stop()
          update(name, -1)
        }
      },
    }
  }

  const entries = createWanted<PoolEntry>('entries')
  const dropped = createWanted<Hash32>('dropped')
  const privateLogs = createWanted<PrivateLogs>('privateLogs')

  /** Blocks are read when somebody asks for them; one that is not there any more is left out. */
  function blocksOf(changed: readonly ChangedBlock[]): () => readonly HashedBlock[] {
    let blocks: readonly HashedBlock[] | undefined
    return () => (blocks ??= changed.map(({ hash }) => view().blockBy(hash)).filter((block) => block !== undefined))
  }

  function tellHead({ head, added, removed }: Extract<ToServers, { kind: 'head' }>): void {
    newHeads.announce(undefined)
    const [addedBlocks, removedBlocks] = [blocksOf(added), blocksOf(removed)]
    heads.announce({
      get head() {
        return view().headerBy(head.hash) ?? view().head
      },
      get added() {
        return addedBlocks()
      },
      get removed() {
        return removedBlocks()
      },
    })
  }

  return {
    feeds: {
      onHead: heads.subscribe,
      onPending: pending.subscribe,
      onPendingEntry: entries.feed,
      onDropped: dropped.feed,
      onSync: sync.subscribe,
    },
    onPrivateLogs: privateLogs.feed,
    onNewHead: newHeads.subscribe,
    receive(message) {
      if (message.kind === 'head') tellHead(message)
      else if (message.kind === 'pending') pending.announce(message.hash)
      else if (message.kind === 'entry') entries.announce(message.entry)
      else if (message.kind === 'dropped') dropped.announce(message.hash)
      else if (message.kind === 'sync') sync.announce(message.status)
      else if (message.kind === 'privateLogs') privateLogs.announce(message.logs)
    },
  }
}
