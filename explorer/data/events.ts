import type { Hex } from 'viem'
import { loadListed } from './lists.ts'
import type { Log } from './objects.ts'
import type { Ask } from './rpc.ts'

/** A log with its place in the chain. */
export interface PlacedLog extends Log {
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly timestamp: number
}

/** Events of a contract, the newest first. */
export const loadEvents = (ask: Ask, address: Hex, size: number, before: string | null) =>
  loadListed<PlacedLog>(ask, 'logs', 'quoin_getEvents', [address, size, before])
