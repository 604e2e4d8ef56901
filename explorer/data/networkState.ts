import { useEffect, useState } from 'preact/hooks'
import type { NetworkState } from '../../src/rpc/server/networkState.ts'
import { authorized } from './rpc.ts'

/** The verdict of the page's server on the network; without its problems for users who may not see them. */
export type SeenState = Pick<NetworkState, 'status' | 'level'> & Partial<NetworkState>

/** What is known of the network: the last verdict, and since when, in milliseconds, the page's server gives none. */
export interface StateSight {
  readonly state: SeenState | undefined
  readonly silentSince: number | undefined
}

const everyMs = 2000
const answerMs = 4000
/** A single answer may be lost. */
const patienceMs = 5000

const listeners = new Set<(sight: StateSight) => void>()
let current: StateSight = { state: undefined, silentSince: undefined }
let timer: ReturnType<typeof setTimeout> | undefined

function set(sight: StateSight): void {
  current = sight
  for (const listener of listeners) listener(sight)
}

async function poll(): Promise<void> {
  const askedAt = Date.now()
  try {
    const answer = await fetch('state', { headers: authorized(), signal: AbortSignal.timeout(answerMs) })
    if (!answer.ok) throw new Error(String(answer.status))
    set({ state: (await answer.json()) as SeenState, silentSince: undefined })
  } catch {
    set({ ...current, silentSince: current.silentSince ?? askedAt })
  }
  if (listeners.size > 0) timer = setTimeout(poll, everyMs)
  else timer = undefined
}

/** The state of the network, asked for again and again by all of the page together. */
export function useNetworkState(): StateSight {
  const [sight, setSight] = useState(current)
  useEffect(() => {
    listeners.add(setSight)
    if (timer === undefined) {
      timer = setTimeout(() => {})
      void poll()
    }
    return () => void listeners.delete(setSight)
  }, [])
  const { state, silentSince } = sight
  const isSilent = silentSince !== undefined && Date.now() - silentSince > patienceMs
  return { state, silentSince: isSilent ? silentSince : undefined }
}
