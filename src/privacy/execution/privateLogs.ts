import type { ChainView, PlacedLog } from '../../chain/view.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { MarkerPlace } from '../sending/markerPlace.ts'
import type { GroupStates } from './groupStates.ts'
import { type PrivateReceipt, privateReceiptsIn } from './privateReceipts.ts'

/** The logs of a group's transactions with their places; in each block they are counted from 0. */
export function logsOfReceipts(
  chain: ChainView,
  receipts: Iterable<{ readonly at: MarkerPlace; readonly receipt: PrivateReceipt }>,
): PlacedLog[] {
  const found: PlacedLog[] = []
  let block: Uint8Array | undefined
  let logIndex = 0
  for (const { at, receipt } of receipts) {
    if (!block || !equalBytes(block, at.hash)) logIndex = 0
    block = at.hash
    if (receipt.logs.length === 0) continue
    const marker = chain.body(at.hash)?.transactions[at.index]
    if (!marker) continue
    const place = { blockNumber: BigInt(at.number), blockHash: at.hash, txIndex: at.index, txHash: txHash(marker) }
    for (const log of receipt.logs) found.push({ ...log, ...place, logIndex: logIndex++ })
  }
  return found
}

/** The logs of a group in blocks whose private transactions were executed, or undone. */
export interface PrivateLogs {
  readonly group: Uint8Array
  readonly logs: readonly PlacedLog[]
  readonly removed: boolean
}

/** Tells listeners of logs. */
export interface LogNews {
  /** Calls the listener with the logs of each group after each block. */
  onLogs(listener: (logs: PrivateLogs) => void): () => void
  /** A group has executed a block. */
  executed(chain: ChainView, group: Uint8Array, block: BlockKey): void
  /** A block is no longer canonical; `had` says which groups have executed it. */
  blockUndone(chain: ChainView, block: BlockKey, had: (group: Uint8Array) => boolean): void
  /** A group executes the canonical blocks of a range again. */
  groupUndone(chain: ChainView, group: Uint8Array, from: number, to: number): void
}

export function createLogNews(store: Store, groups: Pick<GroupStates, 'all'>): LogNews {
  const listeners = new Set<(logs: PrivateLogs) => void>()

  function notify(group: Uint8Array, logs: readonly PlacedLog[], removed: boolean): void {
    if (logs.length > 0) for (const listener of listeners) listener({ group, logs, removed })
  }

  function logsIn(chain: ChainView, group: Uint8Array, from: number, to: number): readonly PlacedLog[] {
    return store.read((reader) => logsOfReceipts(chain, privateReceiptsIn(reader, group, from, to)))
  }

  function tellBlock(chain: ChainView, group: Uint8Array, { number, hash }: BlockKey, removed: boolean): void {
    const logs = logsIn(chain, group, number, number)
    notify(
      group,
      logs.filter(({ blockHash }) => equalBytes(blockHash, hash)),
      removed,
    )
  }

  return {
    onLogs(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    executed(chain, group, block) {
      if (listeners.size > 0) tellBlock(chain, group, block, false)
    },
    blockUndone(chain, block, had) {
      if (listeners.size === 0) return
      for (const group of store.read(groups.all)) if (had(group)) tellBlock(chain, group, block, true)
    },
    groupUndone(chain, group, from, to) {
      if (listeners.size === 0) return
      const logs = logsIn(chain, group, from, to)
      notify(
        group,
        logs.filter(({ blockHash }) => chain.isCanonical(blockHash)),
        true,
      )
    },
  }
}
