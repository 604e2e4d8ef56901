import { join } from 'node:path'
import { createChainView } from '../../chain/createChainView.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Network } from '../../chainData/network.ts'
import { createNodeConsensus } from '../../chainData/openChain.ts'
import { readStateEdits } from '../../dev/stateEdits.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { createRecentBlocks, rememberingView } from '../../query/recentBlocks.ts'
import { createPublicState } from '../../state/publicState.ts'
import { openStore } from '../../store/openStore.ts'
import type { Store } from '../../store/store.ts'

/** The chain that another process writes. */
export interface ReadChain {
  readonly consensus: ConsensusEngine
  /** The chain as of the head with this number in the order of announcements, or a later one. */
  viewAt(heads: number): ChainView
  /** Closes the view if it is not used again soon: while it is open, the store cannot reuse the pages that it sees. */
  rest(): void
}

/** Milliseconds that a view stays open without use. */
const maxRest = 200

/** The data directory of a running node, which is only read. */
export interface ReadOnlyChain {
  readonly store: Store
  readonly spec: ChainSpec
  readonly consensus: ConsensusEngine
  /** A view of the last commit; who keeps it closes it when `onUnmap` is called. */
  openView(onUnmap?: () => void): ChainView
}

export function openReadOnly(dataPath: string, network: Network): ReadOnlyChain {
  const store = openStore(join(dataPath, 'database'), { readOnly: true })
  const edits = network.isDev ? readStateEdits(store) : undefined
  const { spec, consensus } = createNodeConsensus(network, edits, false)
  const states = createPublicState(store)
  return {
    ...{ store, spec, consensus },
    openView(onUnmap) {
      const snapshot = store.openSnapshot(onUnmap)
      return createChainView({ spec, states, consensus }, snapshot, snapshot.close)
    },
  }
}

/** Opens the data directory of a running node for a reader. */
export function openReadChain(dataPath: string, network: Network): ReadChain {
  const { consensus, openView } = openReadOnly(dataPath, network)
  const recent = createRecentBlocks()
  let current: { readonly heads: number; readonly view: ChainView } | undefined
  let closing: NodeJS.Timeout | undefined

  function close(): void {
    current?.view.close()
    current = undefined
  }

  return {
    consensus,
    viewAt(heads) {
      // A query that waits for something must not find its view closed.
      clearTimeout(closing)
      if (current?.heads !== heads) {
        close()
        current = { heads, view: rememberingView(openView(), recent) }
      }
      return current.view
    },
    rest() {
      clearTimeout(closing)
      closing = setTimeout(close, maxRest)
    },
  }
}
