import type { ChainView, HashedBlock } from '../../chain/view.ts'
import { equalBytes, keyOf } from '../../primitives/bytes.ts'
import { privatePayloads } from '../../store/schema.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { PrivateExecutor, PrivateJob } from '../execution/privateJobs.ts'
import { type PrivateReceipt, removePrivateReceipt, writePrivateReceipt } from '../execution/privateReceipts.ts'
import { type MarkerPlace, placeIn, placeKey, placeRange } from '../sending/markerPlace.ts'
import { type PrivateTx, privateChainIdOf, privateSenderOf } from '../sending/privateTx.ts'
import { wasExhausted, writeExhausted } from './exhaustedTxs.ts'
import { type ReceivedTx, readPayload } from './fetchPayload.ts'

/** A private transaction by the index of its marker. */
interface IndexedTx extends Pick<ReceivedTx, 'tx' | 'version'> {
  readonly index: number
}

/** The private transactions of one group in one block, in order. */
export interface GroupBlock {
  readonly group: Uint8Array
  readonly block: HashedBlock
  readonly txs: readonly IndexedTx[]
}

/** What their execution has led to. */
export interface GroupOutcome extends GroupBlock {
  /** Undefined where a flexible group does not execute a transaction. */
  readonly receipts: readonly (readonly [MarkerPlace, PrivateReceipt | undefined])[]
  /** The indices of markers whose transactions have not ended within their work. */
  readonly exhausted: readonly number[]
  readonly changes: StateChanges
}

/** Sorts the payloads of a block by group; the keys are the indices of their markers. */
export function groupBlocksOf(block: HashedBlock, received: ReadonlyMap<number, ReceivedTx>): readonly GroupBlock[] {
  const groups = new Map<string, { group: Uint8Array; txs: IndexedTx[] }>()
  for (const [index, { tx, version, group }] of [...received].sort(([a], [b]) => a - b)) {
    const key = keyOf(group)
    if (!groups.has(key)) groups.set(key, { group, txs: [] })
    groups.get(key)!.txs.push({ index, tx, ...(version && { version }) })
  }
  return [...groups.values()].map((each) => ({ ...each, block }))
}

/** Stores a payload among those that its group executes. */
export function writePayload(
  txn: Transaction,
  at: MarkerPlace,
  { group, payload }: Pick<ReceivedTx, 'group' | 'payload'>,
): void {
  txn.put(privatePayloads, placeKey(group, at), payload)
}

export function hasPayload(reader: Reader, group: Uint8Array, at: MarkerPlace): boolean {
  return reader.get(privatePayloads, placeKey(group, at)) !== undefined
}

/** The transaction of a group at a place; undefined if there is none. */
export function txAt(reader: Reader, group: Uint8Array, at: MarkerPlace): PrivateTx | undefined {
  const payload = reader.get(privatePayloads, placeKey(group, at))
  return payload && readPayload(payload)?.tx
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
  const txs: IndexedTx[] = []
  for (const [key, payload] of reader.range(privatePayloads, placeRange(group, after + 1, to))) {
    const { number, hash, index } = placeIn(key)
    if (block && Number(block.header.number) !== number) break
    if (!view.isCanonical(hash)) continue
    block ??= view.blockBy(hash)
    const found = readPayload(payload)
    if (found && block && equalBytes(block.hash, hash)) txs.push({ index, ...found })
  }
  return block && { group, block, txs }
}

/** What is to be run of a transaction; undefined if its signature belongs to no account. */
export function jobOf({ spec }: ChainView, index: number, tx: PrivateTx): PrivateJob | undefined {
  const sender = privateSenderOf(tx)
  if (!sender) return undefined
  const { to, nonce, gasPrice, data } = tx
  const chainId = privateChainIdOf(tx)
  const isValid = chainId === undefined || chainId === spec.chainId
  return { index, isValid, message: { sender, to, nonce, gasPrice, data } }
}

/**
 * Executes the private transactions of a group in a block on the newest state of the group; with `maxTurns` it is given up after so many
 * turns of the event loop, and undefined returned.
 */
export async function executeGroupBlock(
  executor: PrivateExecutor,
  groups: GroupStates,
  reader: Reader,
  view: ChainView,
  work: GroupBlock,
  maxTurns?: number,
): Promise<GroupOutcome | undefined> {
  const { group, block, txs } = work
  const number = Number(block.header.number)
  const jobs = txs.flatMap(({ index, tx, version }) => {
    const job = jobOf(view, index, tx)
    const gate = version && { gate: { privateFrom: tx.privateFrom, version } }
    return job ? [{ ...job, ...gate, wasExhausted: wasExhausted(reader, view, group, tx, number) }] : []
  })
  const state = groups.of(group).at(reader, 'latest')
  const outcome = await executor.runBlock(view, block, group, state, jobs, maxTurns)
  if (!outcome) return undefined
  const { receipts, exhausted, changes } = outcome
  const placed = jobs.map(({ index }, i) => [{ number, hash: block.hash, index }, receipts[i]] as const)
  return { ...work, receipts: placed, exhausted, changes }
}

/** Stores what an execution has led to. */
export function writeGroupOutcome(txn: Transaction, groups: GroupStates, outcome: GroupOutcome): void {
  const { group, block, txs, receipts, exhausted, changes } = outcome
  for (const [at, receipt] of receipts)
    if (receipt) writePrivateReceipt(txn, group, at, receipt)
    else removePrivateReceipt(txn, group, at)
  const number = Number(block.header.number)
  for (const { index, tx } of txs)
    writeExhausted(txn, group, tx, { number, hash: block.hash, index }, exhausted.includes(index))
  const isLegacy = txs.some(({ tx }) => 'privateFor' in tx.recipients)
  if (changes.accounts.length > 0) groups.commit(txn, group, number, changes, isLegacy)
}
