import type { ChainView, HashedBlock } from '../chain/view.ts'
import { equalBytes, keyOf } from '../primitives/bytes.ts'
import { privatePayloads } from '../store/schema.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import type { GroupStates } from './groupStates.ts'
import { type MarkerPlace, placeIn, placeKey, placeRange } from './markerPlace.ts'
import { type ReceivedTx, txOfPayload } from './payloads.ts'
import type { PrivateExecutor } from './privateExecutor.ts'
import { type PrivateReceipt, writePrivateReceipt } from './privateReceipts.ts'
import { type PrivateTx, privateChainIdOf, privateSenderOf } from './privateTx.ts'

/** The private transactions of one group in one block, in order. */
export interface GroupBlock {
  readonly group: Uint8Array
  readonly block: HashedBlock
  readonly txs: readonly { readonly index: number; readonly tx: PrivateTx }[]
}

/** What their execution has led to. */
export interface GroupOutcome extends GroupBlock {
  readonly receipts: readonly (readonly [MarkerPlace, PrivateReceipt])[]
  readonly changes: StateChanges
}

/** Sorts the payloads of a block by group; the keys are the indices of their markers. */
export function groupBlocksOf(block: HashedBlock, received: ReadonlyMap<number, ReceivedTx>): readonly GroupBlock[] {
  const groups = new Map<string, { group: Uint8Array; txs: { index: number; tx: PrivateTx }[] }>()
  for (const [index, { tx, group }] of [...received].sort(([a], [b]) => a - b)) {
    const key = keyOf(group)
    if (!groups.has(key)) groups.set(key, { group, txs: [] })
    groups.get(key)!.txs.push({ index, tx })
  }
  return [...groups.values()].map((each) => ({ ...each, block }))
}

/** Stores a payload among those that its group executes. */
export function writePayload(txn: Transaction, at: MarkerPlace, { group, payload }: ReceivedTx): void {
  txn.put(privatePayloads, placeKey(group, at), payload)
}

/** The first canonical block after `after`, and not after `to`, in which a group has private transactions. */
export function nextGroupBlock(
  reader: Reader,
  view: ChainView,
  group: Uint8Array,
  after: number,
  to: number,
): GroupBlock | undefined {
  let block: HashedBlock | undefined
  const txs: { index: number; tx: PrivateTx }[] = []
  for (const [key, payload] of reader.range(privatePayloads, placeRange(group, after + 1, to))) {
    const { number, hash, index } = placeIn(key)
    if (block && Number(block.header.number) !== number) break
    if (!view.isCanonical(hash)) continue
    block ??= view.blockBy(hash)
    const tx = txOfPayload(payload)
    if (tx && block && equalBytes(block.hash, hash)) txs.push({ index, tx })
  }
  return block && { group, block, txs }
}

/** Executes the private transactions of a group in a block on the newest state of the group. */
export async function executeGroupBlock(
  executor: PrivateExecutor,
  groups: GroupStates,
  reader: Reader,
  view: ChainView,
  work: GroupBlock,
): Promise<GroupOutcome> {
  const { group, block, txs } = work
  const jobs = txs.flatMap(({ index, tx }) => {
    const sender = privateSenderOf(tx)
    if (!sender) return []
    const { to, nonce, gasPrice, data } = tx
    const chainId = privateChainIdOf(tx)
    const isValid = chainId === undefined || chainId === view.spec.chainId
    return [{ index, isValid, message: { sender, to, nonce, gasPrice, data } }]
  })
  const state = groups.of(group).at(reader, 'latest')
  const { receipts, changes } = await executor.runBlock(view, block, group, state, jobs)
  const place = { number: Number(block.header.number), hash: block.hash }
  return { ...work, receipts: jobs.map(({ index }, i) => [{ ...place, index }, receipts[i]!] as const), changes }
}

/** Stores what an execution has led to. */
export function writeGroupOutcome(txn: Transaction, groups: GroupStates, outcome: GroupOutcome): void {
  const { group, block, txs, receipts, changes } = outcome
  for (const [at, receipt] of receipts) writePrivateReceipt(txn, group, at, receipt)
  const isLegacy = txs.some(({ tx }) => 'privateFor' in tx.recipients)
  if (changes.accounts.length > 0) groups.commit(txn, group, Number(block.header.number), changes, isLegacy)
}
