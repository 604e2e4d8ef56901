import type { ChainView, HashedBlock } from '../../chain/view.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { Logger } from '../../system/logger.ts'
import { toBase64 } from '../enclave/base64.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { PrivateExecutor, PrivateJob } from '../execution/privateJobs.ts'
import { privateReceiptsIn } from '../execution/privateReceipts.ts'
import type { ReceivedTx } from '../following/fetchPayload.ts'
import { hasPayload, jobOf, writePayload } from '../following/groupBlocks.ts'
import type { MarkerPlace } from '../sending/markerPlace.ts'
import { markedKey } from '../sending/markers.ts'
import { encodePrivateTx } from '../sending/privateTx.ts'
import type { History, PastTx } from './history.ts'
import { readParticipants } from './readContract.ts'

export interface JoinParts {
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
  /** The keys of this node at its manager, as far as they are known. */
  readonly ownKeys: readonly Uint8Array[]
  readonly log: Logger
}

/** A group that this node is added to, what the group has executed before, and the block of the marker. */
interface Invitation {
  readonly group: Uint8Array
  readonly history: History
  readonly block: number
}

/** How to take the history of a group in: it is filed, and the group executes it after this block. */
export interface Joining {
  readonly group: Uint8Array
  readonly at: number
  file(txn: Transaction): void
}

type Refusal = { readonly refused: string }

/** A past transaction and the place of its marker. */
interface Placed {
  readonly past: PastTx
  readonly block: HashedBlock
  readonly job: PrivateJob
}

const numberOf = ({ block }: Placed): number => Number(block.header.number)

/** How this node takes the history in that came with its addition to a group in a block; empty if it does not. */
export async function joiningsOf(
  parts: JoinParts,
  reader: Reader,
  view: ChainView,
  { group, history }: Pick<ReceivedTx, 'group' | 'history'>,
  block: number,
): Promise<readonly Joining[]> {
  const plan = history && (await planJoining(parts, reader, view, { group, history, block }))
  if (!plan) return []
  const fields = { group: toBase64(group), block }
  if ('refused' in plan) {
    const { refused } = plan
    parts.log.warn({ ...fields, refused }, 'the history of group {group} at block {block} is refused: {refused}')
    return []
  }
  parts.log.info(fields, 'this node was added to group {group} at block {block} and executes its history')
  return [plan]
}

/**
 * Checks the history of a flexible group that this node is added to; undefined if the node has executed it, as each
 * member has. One that was added again goes on where it was removed. A history that does not fit the chain, or leads to
 * other states than it says, is refused as a whole.
 */
async function planJoining(
  parts: JoinParts,
  reader: Reader,
  view: ChainView,
  invitation: Invitation,
): Promise<Joining | Refusal | undefined> {
  const { groups, executor } = parts
  const { group, history, block } = invitation
  const placed = placeHistory(view, group, history, block)
  if ('refused' in placed) return placed
  if (await isMember(parts, reader, view, invitation)) return undefined
  const missing = notExecuted(reader, view, placed, invitation)
  if ('refused' in missing || missing.length === 0) return 'refused' in missing ? missing : undefined
  const at = numberOf(missing[0]!) - 1
  const past = placed.filter((one) => numberOf(one) > at)
  const outcomes = await executor.runBlocks(view, group, groups.of(group).at(reader, at), byBlock(past))
  const roots = outcomes.flatMap(({ receipts }) => receipts.map((receipt) => receipt?.root))
  const leadsThere = past.every((one, i) => roots[i] !== undefined && equalBytes(roots[i], one.past.root))
  return leadsThere
    ? { group, at, file: (txn) => fileAll(txn, group, past) }
    : refuse('it leads to other states than it says')
}

function refuse(refused: string): Refusal {
  return { refused }
}

/** Whether this node is a member before the addition. */
async function isMember(
  { groups, executor, ownKeys }: JoinParts,
  reader: Reader,
  view: ChainView,
  { group, block }: Invitation,
): Promise<boolean> {
  const before = view.headerAt(BigInt(block - 1))!
  // The reader is open as long as the block is worked on.
  const openState = () => ({ state: groups.of(group).at(reader, block - 1), close() {} })
  const members = await readParticipants(executor, view, before, group, openState)
  return members.some((member) => ownKeys.some((own) => equalBytes(own, member)))
}

/** The part of a history that comes after what this node has executed. */
function notExecuted(
  reader: Reader,
  view: ChainView,
  placed: readonly Placed[],
  { group, block }: Invitation,
): readonly Placed[] | Refusal {
  let last: MarkerPlace | undefined
  for (const { at, receipt } of privateReceiptsIn(reader, group, 0, block - 1))
    if (receipt.root && view.isCanonical(at.hash)) last = at
  if (!last) return placed
  const { number, index } = last
  const at = placed.findIndex((one) => numberOf(one) === number && one.job.index === index)
  return at < 0 ? refuse('it does not contain what this node has executed') : placed.slice(at + 1)
}

/** Finds the markers of a history, which are in the chain before a block, in this order. */
function placeHistory(
  view: ChainView,
  group: Uint8Array,
  history: History,
  before: number,
): readonly Placed[] | Refusal {
  const placed: Placed[] = []
  for (const past of history) {
    const { recipients } = past.tx
    if (!('privacyGroupId' in recipients) || !equalBytes(recipients.privacyGroupId, group))
      return refuse('a transaction belongs to another group')
    const place = view.findTx(past.marker)
    const block = place && view.blockAt(place.blockNumber)
    const marker = block?.block.transactions[place!.index]
    const job = place && jobOf(view, place.index, past.tx)
    if (!block || !marker || !job || !markedKey(marker, 'flexible')) return refuse('a marker is not in the chain')
    const one = { past, block, job }
    const last = placed.at(-1)
    const order = last ? numberOf(one) - numberOf(last) || job.index - last.job.index : 1
    if (order <= 0 || numberOf(one) >= before) return refuse('its order is not that of the chain')
    placed.push(one)
  }
  return placed
}

function byBlock(placed: readonly Placed[]): { block: HashedBlock; jobs: PrivateJob[] }[] {
  const blocks: { block: HashedBlock; jobs: PrivateJob[] }[] = []
  for (const { block, job } of placed) {
    const last = blocks.at(-1)
    if (last && equalBytes(last.block.hash, block.hash)) last.jobs.push(job)
    else blocks.push({ block, jobs: [job] })
  }
  return blocks
}

/** Stores past transactions among those that the group executes. What this node got itself stays as it is. */
function fileAll(txn: Transaction, group: Uint8Array, placed: readonly Placed[]): void {
  for (const one of placed) {
    const at = { number: numberOf(one), hash: one.block.hash, index: one.job.index }
    if (!hasPayload(txn, group, at)) writePayload(txn, at, { group, payload: encodePrivateTx(one.past.tx) })
  }
}
