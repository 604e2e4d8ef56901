import type { ChainView } from '../../chain/view.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { Reader } from '../../store/table.ts'
import { createPauses } from '../../system/pauses.ts'
import { toBase64 } from '../enclave/base64.ts'
import { EnclaveError } from '../enclave/enclave.ts'
import { createLogNews, type LogNews } from '../execution/privateLogs.ts'
import { type Joining, joiningsOf } from '../flexible/joinGroup.ts'
import { splitMarker } from '../sending/markers.ts'
import { type GroupBehind, writeCursor, writeGroupCursor } from './cursors.ts'
import { executeGroupBlock, type GroupOutcome, groupBlocksOf, writeGroupOutcome, writePayload } from './groupBlocks.ts'
import { createGroupCatchUp, type GroupCatchUp } from './groupCatchUp.ts'
import { canFile, createLatePayloads } from './latePayloads.ts'
import { type Found, fetchMarked, findMarkedBlock, type MarkedBlock } from './markedBlocks.ts'
import { createMissingPayloads } from './missingPayloads.ts'
import type { PrivateChain, PrivateChainParts } from './privateChain.ts'
import { createProgress } from './progress.ts'

/** Turns of the event loop after which a group's execution of a block is given up, so that it does not delay the other groups. */
const maxTurns = 10

/** Milliseconds to the next attempt when the manager is unavailable: the first, and the longest. */
const minDelay = 500

const maxDelay = 10_000

/** Private transactions as blocks bring them: which group is at which block, and what waits for a payload. */
class FollowedChain implements PrivateChain {
  private readonly parts: PrivateChainParts
  private readonly news: LogNews
  private readonly pause = createPauses()
  private readonly missing: ReturnType<typeof createMissingPayloads>
  private readonly progress: ReturnType<typeof createProgress>
  private readonly late: ReturnType<typeof createLatePayloads>
  private readonly groupCatchUp: GroupCatchUp
  /** Groups whose execution has failed; they wait for the next attempt. */
  private readonly failing = new Set<string>()
  private running = false
  /** Something has come that the running loop may not have seen. */
  private again = false
  private readonly executing = new Set<Promise<unknown>>()
  private stopped = true
  private delay = minDelay
  private cancelRetry = (): void => {}
  private unfollow = (): void => {}
  readonly reach: PrivateChain['reach']
  readonly onLogs: PrivateChain['onLogs']

  constructor(parts: PrivateChainParts) {
    this.parts = parts
    this.news = createLogNews(parts.store, parts.groups)
    this.missing = createMissingPayloads(parts.store, parts.clock, () => void this.follow())
    this.progress = createProgress({
      store: parts.store,
      groups: parts.groups,
      news: this.news,
      clock: parts.clock,
      log: parts.log,
    })
    const { progress, news, withViews } = this
    const isStopped = () => this.stopped
    this.late = createLatePayloads({ ...parts, missing: this.missing, progress, news, isStopped, withViews })
    this.groupCatchUp = createGroupCatchUp({
      ...parts,
      progress,
      news,
      nextTurn: () => this.pause(true),
      isStopped,
      isFailing: (group) => this.failing.has(keyOf(group)),
      fail: (group, block, error) => this.fail(group, block, error),
      onCaughtUp: () => void this.follow(),
      withViews,
    })
    this.reach = this.progress.reach
    this.onLogs = this.news.onLogs
  }

  /** Reads chain and store as they are now, while others have their turn. */
  private readonly withViews = async <T>(action: (view: ChainView, reader: Reader) => Promise<T>): Promise<T> => {
    const view = this.parts.chain.openView()
    const reader = this.parts.store.openSnapshot()
    const done = action(view, reader).finally(() => {
      this.executing.delete(done)
      reader.close()
      view.close()
    })
    this.executing.add(done)
    return done
  }

  /** Executes the private transactions of the next block in the groups that have executed all before it, and do not take long. */
  private async execute({ block, keys }: MarkedBlock, fetched: ReadonlyMap<number, Found>): Promise<void> {
    const key = { number: Number(block.header.number), hash: block.hash }
    const received = new Map(
      [...fetched].flatMap(([index, tx]) =>
        tx !== 'missing' && canFile(tx, this.progress) ? [[index, tx] as const] : [],
      ),
    )
    const before = this.progress.position()
    const outcomes: GroupOutcome[] = []
    /** Groups that execute the block later: they take long, have failed, or have more to do before it. */
    const later: GroupBehind[] = []
    const joinings: Joining[] = []
    await this.withViews(async (view, reader) => {
      // A reorganisation may have come while payloads were fetched.
      if (!view.isCanonical(block.hash)) return
      for (const tx of received.values()) joinings.push(...(await joiningsOf(this.parts, reader, view, tx, key.number)))
      const joining = new Set(joinings.map(({ group }) => keyOf(group)))
      for (const work of groupBlocksOf(block, received)) {
        const { group } = work
        if (joining.has(keyOf(group))) continue
        const one = { group, at: key.number - 1 }
        if (this.progress.behindOf(group)) {
          later.push(one)
          continue
        }
        try {
          const outcome = await executeGroupBlock(this.parts.executor, this.parts.groups, reader, view, work, maxTurns)
          if (outcome) outcomes.push(outcome)
          else later.push(one)
        } catch (error) {
          later.push(one)
          this.fail(group, key.number, error)
        }
      }
    })
    this.parts.chain.read((view) => {
      if (this.stopped || this.progress.position() !== before || !view.isCanonical(block.hash)) return
      // One that was behind may have caught up meanwhile, with the blocks before this one.
      const behind = [...later.filter(({ group }) => !this.progress.behindOf(group)), ...joinings]
      this.parts.store.write((txn) => {
        for (const index of fetched.keys()) {
          const tx = received.get(index)
          if (tx) writePayload(txn, { ...key, index }, tx)
          else this.missing.add(txn, splitMarker(keys.get(index)!).key, { ...key, index })
        }
        for (const outcome of outcomes) writeGroupOutcome(txn, this.parts.groups, outcome)
        for (const one of joinings) {
          one.file(txn)
          this.parts.groups.of(one.group).unwind(txn, one.at)
        }
        for (const one of behind) writeGroupCursor(txn, one)
        writeCursor(txn, key)
      })
      for (const one of behind) this.progress.setBehind(one)
      this.progress.moveTo(key)
      for (const { group } of outcomes) this.news.executed(view, group, key)
    })
  }

  /** The group waits for the next attempt; the others go on. */
  private fail(group: Uint8Array, block: number, error: unknown): void {
    if (this.stopped) return
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const fields = { group: toBase64(group), block, error: text }
    this.parts.log.error(fields, 'private transactions of group {group} could not be executed from block {block} on')
    this.failing.add(keyOf(group))
    this.retryAfter(maxDelay)
  }

  private async follow(): Promise<void> {
    this.again = true
    if (this.running || this.stopped) return
    this.running = true
    try {
      for (;;) {
        this.again = false
        const asked = await this.late.askAgain()
        this.groupCatchUp.goOn()
        const next = this.parts.chain.read((view) => findMarkedBlock(view, this.progress, this.parts.kind))
        const fetched = next && next !== 'more' ? await fetchMarked(next, this.parts, this.pause) : undefined
        if (this.stopped) break
        if (next && next !== 'more') {
          await this.execute(next, fetched!)
          this.groupCatchUp.goOn()
        }
        if (this.stopped || !(asked || next || this.again)) break
        await this.pause(next === 'more')
        if (this.delay > minDelay) this.resume()
      }
    } catch (error) {
      this.waitForManager(error)
    } finally {
      this.running = false
    }
  }

  /** The manager is back: it may have got payloads meanwhile that it did not have before. */
  private resume(): void {
    this.delay = minDelay
    this.missing.askAll()
    this.parts.log.info({ block: this.progress.position()?.number ?? 0 }, 'private transactions are executed again')
  }

  private waitForManager(error: unknown): void {
    if (this.stopped) return
    const fields = {
      block: (this.progress.position()?.number ?? -1) + 1,
      error: error instanceof Error ? error.message : String(error),
    }
    if (!(error instanceof EnclaveError)) this.parts.log.error(fields, 'private transactions wait at block {block}')
    else if (this.delay === minDelay)
      this.parts.log.warn(fields, 'private transactions wait at block {block}: the manager is unavailable')
    this.retryAfter(this.delay)
    this.delay = Math.min(2 * this.delay, maxDelay)
  }

  private retryAfter(milliseconds: number): void {
    this.cancelRetry()
    this.cancelRetry = this.parts.clock.after(milliseconds, () => {
      this.failing.clear()
      void this.follow()
    })
  }

  readonly position: PrivateChain['position'] = () => this.progress.position()?.number ?? 0

  readonly groupsBehind: PrivateChain['groupsBehind'] = () => this.progress.allBehind().length

  readonly onArrival: PrivateChain['onArrival'] = (key) => {
    this.missing.ask(key)
    void this.follow()
  }

  readonly start: PrivateChain['start'] = () => {
    this.stopped = false
    this.missing.askAll()
    this.unfollow = this.parts.chain.onHead(() => void this.follow())
    void this.follow()
  }

  readonly stop: PrivateChain['stop'] = async () => {
    this.stopped = true
    this.parts.executor.stop()
    this.unfollow()
    this.cancelRetry()
    this.missing.stop()
    await Promise.allSettled(this.executing)
  }
}

export function createPrivateChain(parts: PrivateChainParts): PrivateChain {
  return new FollowedChain(parts)
}
