import type { ChainView, HashedBlock } from '../../chain/view.ts'
import { keyOf } from '../../primitives/bytes.ts'
import { type GroupKind, markedKey } from '../sending/markers.ts'
import { fetchForExecution, type ReceivedTx } from './fetchPayload.ts'
import { reportUnusable } from './latePayloads.ts'
import type { PrivateChainParts } from './privateChain.ts'
import type { Progress } from './progress.ts'

/** A block with private transactions, and what their markers carry, by index. */
export interface MarkedBlock {
  readonly block: HashedBlock
  readonly keys: ReadonlyMap<number, Uint8Array>
}

/** A payload, or that the manager may still get it. */
export type Found = ReceivedTx | 'missing'

/** Blocks that are looked at in one go: the node has other things to do as well. */
const maxBlocks = 200

/** Payloads that the manager is asked for at once. */
const maxFetching = 16

/** Passes blocks without private transactions; returns the next one that has some, or that there are more blocks to look at. */
export function findMarkedBlock(
  view: ChainView,
  progress: Progress,
  kind: GroupKind,
): MarkedBlock | 'more' | undefined {
  progress.returnToCanonical(view)
  const from = (progress.position()?.number ?? -1) + 1
  const head = Number(view.head.header.number)
  for (let number = from; number <= head; number++) {
    if (number - from >= maxBlocks) return 'more'
    const block = view.blockAt(BigInt(number))!
    const keys = new Map<number, Uint8Array>()
    for (const [index, tx] of block.block.transactions.entries()) {
      const key = markedKey(tx, kind)
      if (key) keys.set(index, key)
    }
    if (keys.size > 0) return { block, keys }
    progress.pass({ number, hash: block.hash })
  }
  return undefined
}

/** The payloads of a block that the manager has, by index; 'missing' where it may still get one. */
export async function fetchMarked(
  { block, keys }: MarkedBlock,
  parts: Pick<PrivateChainParts, 'enclave' | 'kind' | 'ownKeys' | 'log'>,
  pause: () => Promise<void>,
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>()
  const places = new Map<string, number[]>()
  for (const [index, key] of keys) places.set(keyOf(key), [...(places.get(keyOf(key)) ?? []), index])
  const left = [...places.values()]
  // Markers can be repeated by anybody: each payload is opened once, which takes long, and others have their turn in between.
  const work = async (): Promise<void> => {
    for (let indices = left.shift(); indices; indices = left.shift()) {
      await pause()
      const key = keys.get(indices[0]!)!
      const fetched = await fetchForExecution(parts.enclave, key, parts)
      if (fetched.kind === 'unusable') reportUnusable(parts.log, key, Number(block.header.number), fetched.reason)
      else for (const index of indices) found.set(index, fetched.kind === 'received' ? fetched.received : 'missing')
    }
  }
  await Promise.all(Array.from({ length: maxFetching }, work))
  return found
}
