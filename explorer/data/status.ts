import type { NetworkStatus } from '../../src/rpc/server/networkState.ts'
import { type Liveness, useHead } from './head.ts'
import { useNetworkState } from './networkState.ts'

const statusWords: Readonly<Record<NetworkStatus, string>> = {
  making: 'live',
  slow: 'slow',
  standing: 'standing still',
  idle: 'live',
  syncing: 'syncing',
  silent: 'no answer from the node',
}

const livenessWords: Readonly<Record<Liveness, string>> = {
  connecting: 'connecting',
  live: 'live',
  polling: 'asking every 2 s',
  lost: 'no answer from the node',
}

/** How the network is in a word, and the kind of its dot: as bad as the worst of the network and of this page's own connection. */
export function useStatus(): { readonly kind: Liveness | 'warning' | 'error'; readonly words: string } {
  const { liveness } = useHead()
  const { state, silentSince } = useNetworkState()
  if (silentSince !== undefined) return { kind: 'lost', words: 'no answer from the server' }
  if (liveness === 'lost' || !state || state.level === 'ok') return { kind: liveness, words: livenessWords[liveness] }
  const word = statusWords[state.status]
  return { kind: state.level, words: word === 'live' ? livenessWords[liveness] : word }
}
