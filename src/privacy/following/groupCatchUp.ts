import type { ChainView } from '../../chain/view.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { Reader } from '../../store/table.ts'
import { toBase64 } from '../enclave/base64.ts'
import type { LogNews } from '../execution/privateLogs.ts'
import { type GroupBehind, removeGroupCursor, writeGroupCursor } from './cursors.ts'
import { executeGroupBlock, nextGroupBlock, writeGroupOutcome } from './groupBlocks.ts'
import type { PrivateChainParts } from './privateChain.ts'
import type { Progress } from './progress.ts'

export interface GroupCatchUpParts extends Pick<PrivateChainParts, 'chain' | 'store' | 'groups' | 'executor' | 'log'> {
  readonly progress: Progress
  readonly news: LogNews
  /** Waits for the next turn of the event loop. */
  nextTurn(): Promise<void>
  isStopped(): boolean
  /** Whether a group waits for the next attempt. */
  isFailing(group: Uint8Array): boolean
  fail(group: Uint8Array, block: number, error: unknown): void
  onCaughtUp(): void
  /** Reads chain and store as they are now, while others have their turn. */
  withViews<T>(action: (view: ChainView, reader: Reader) => Promise<T>): Promise<T>
}

/** Groups that have not executed all that the others have. */
export interface GroupCatchUp {
  /** Lets groups that are behind execute one more block each, beside everything else: none waits for a slow one. */
  goOn(): void
}

/** Groups that catch up at the same time. */
const maxAdvancing = 4

/** Groups on their way to the block where all are. */
class AdvancingGroups implements GroupCatchUp {
  private readonly parts: GroupCatchUpParts
  /** Groups that catch up now. */
  private readonly advancing = new Set<string>()

  constructor(parts: GroupCatchUpParts) {
    this.parts = parts
  }

  readonly goOn: GroupCatchUp['goOn'] = () => {
    for (const { group } of this.parts.progress.allBehind()) {
      const name = keyOf(group)
      if (this.parts.isStopped() || this.advancing.size >= maxAdvancing) return
      if (this.parts.isFailing(group) || this.advancing.has(name)) continue
      this.advancing.add(name)
      void this.advance(group).finally(() => {
        this.advancing.delete(name)
        this.goOn()
      })
    }
  }

  private async advance(group: Uint8Array): Promise<void> {
    const { chain, progress } = this.parts
    // Not before the caller has done what it does next.
    await this.parts.nextTurn()
    if (this.parts.isStopped()) return
    let one: GroupBehind | undefined
    try {
      chain.read(progress.returnToCanonical)
      one = progress.behindOf(group)
      if (one) await this.executeNext(one)
    } catch (error) {
      this.parts.fail(group, (one?.at ?? 0) + 1, error)
    }
  }

  /** Executes the next block of a group that is behind, unless something takes the group further back meanwhile. */
  private async executeNext(one: GroupBehind): Promise<void> {
    const { chain, store, groups, executor, progress, news } = this.parts
    const { group, at } = one
    const end = progress.position()?.number ?? 0
    const outcome = await this.parts.withViews(async (view, reader) => {
      const work = nextGroupBlock(reader, view, group, at, end)
      return work && executeGroupBlock(executor, groups, reader, view, work)
    })
    if (this.parts.isStopped() || progress.behindOf(group) !== one) return
    if (!outcome) return this.finish(group, end)
    const { block } = outcome
    const next = { group, at: Number(block.header.number) }
    chain.read((view) => {
      if (!view.isCanonical(block.hash)) return
      store.write((txn) => {
        writeGroupOutcome(txn, groups, outcome)
        writeGroupCursor(txn, next)
      })
      progress.setBehind(next)
      news.executed(view, group, { number: next.at, hash: block.hash })
    })
    progress.wake()
  }

  /** The group is where all are, unless they have gone on meanwhile. */
  private finish(group: Uint8Array, end: number): void {
    const { store, progress, log } = this.parts
    if (end !== (progress.position()?.number ?? 0)) return
    store.write((txn) => removeGroupCursor(txn, group))
    progress.setCaughtUp(group)
    const fields = { group: toBase64(group), block: end }
    log.info(fields, 'group {group} has executed all private transactions to block {block}')
    progress.wake()
    this.parts.onCaughtUp()
  }
}

export function createGroupCatchUp(parts: GroupCatchUpParts): GroupCatchUp {
  return new AdvancingGroups(parts)
}
