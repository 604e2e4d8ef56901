import { type Ask, createAsk } from './rpc.ts'
import type { NodeEntry } from './session.ts'

const asks = new Map<string, Ask>()

/** Calls to a node of the network. */
export function askOf({ path }: NodeEntry): Ask {
  const ask = asks.get(path) ?? createAsk(path)
  asks.set(path, ask)
  return ask
}
