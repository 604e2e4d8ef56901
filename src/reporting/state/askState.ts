import type { HttpClient } from '../../http/client/httpClient.ts'
import type { NetworkState } from '../../rpc/server/networkState.ts'

/** Milliseconds that a node has to answer, and bytes of its answer. */
const answerTime = 4000
const maxAnswer = 4 << 20

/** Asks a running node for its verdict; undefined if it gives none, or shows only to others what it says. */
export async function askState(client: HttpClient, url: string): Promise<NetworkState | undefined> {
  try {
    const limits = { timeout: answerTime, maxAnswer }
    const { body } = await client.ask(new URL('/health', url), { method: 'GET' }, limits)
    const state = JSON.parse(body.toString()) as Partial<NetworkState>
    return Array.isArray(state.problems) && typeof state.address === 'string' ? (state as NetworkState) : undefined
  } catch {
    return undefined
  }
}
