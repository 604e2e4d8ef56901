import type { Chain } from '../../chain/chain.ts'
import type { ChainView, HashedBlock } from '../../chain/view.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { Store } from '../../store/store.ts'
import type { Reader } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createPauses } from '../../system/pauses.ts'
import { toBase64 } from '../enclave/base64.ts'
import { type Enclave, EnclaveError } from '../enclave/enclave.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { PrivateExecutor } from '../execution/privateExecutor.ts'
import { createLogNews, type LogNews } from '../execution/privateLogs.ts'
import { type Joining, joiningsOf } from '../flexible/joinGroup.ts'
import { type GroupKind, markedKey, splitMarker } from '../sending/markers.ts'
import { type GroupBehind, removeGroupCursor, writeCursor, writeGroupCursor } from './cursors.ts'
import { fetchForExecution, type ReceivedTx } from './fetchPayload.ts'
import {
  executeGroupBlock,
  type GroupOutcome,
  groupBlocksOf,
  nextGroupBlock,
  writeGroupOutcome,
  writePayload,
} from './groupBlocks.ts'
import { canFile, createLatePayloads, reportUnusable } from './latePayloads.ts'
import { createMissingPayloads } from './missingPayloads.ts'
import { createProgress } from './progress.ts'
import type { Reach } from './reach.ts'

export interface PrivateChainParts {
  readonly chain: Pick<Chain, 'read' | 'openView' | 'onHead'>
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
  readonly enclave: Enclave
  readonly kind: GroupKind
  /** The keys of this node at its manager, as far as they are known. */
  readonly ownKeys: readonly Uint8Array[]
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Executes the private transactions of the public chain, behind it: blocks are imported whether or not the manager has
 * their payloads. What comes late is executed late, in order: its group goes back to the block before and from there on
 * executes again, while other groups go on.
 */
export interface PrivateChain extends Pick<Reach, 'reach'>, Pick<LogNews, 'onLogs'> {
  /** The last block whose private transactions were asked for. */
  position(): number
  /** The groups that have not executed all blocks up to `position`. */
  groupsBehind(): number
  /** The manager has a payload that it did not have before. */
  onArrival(key: Uint8Array): void
  start(): void
  /** Resolves when nothing is read or written any more. */
  stop(): Promise<void>
}

/** A block with private transactions, and what their markers carry, by index. */
interface MarkedBlock {
  readonly block: HashedBlock
  readonly keys: ReadonlyMap<number, Uint8Array>
}

/** A payload, or that the manager may still get it. */
type Found = ReceivedTx | 'missing'

/** Blocks that are looked at in one go: the node has other things to do as well. */
const maxBlocks = 200
/** Turns of the event loop after which a group's execution of a block is given up, so that it does not delay the other groups. */
const maxTurns = 10
/** Payloads that the manager is asked for at once. */
const maxFetching = 16
/** Groups that catch up at the same time. */
const maxAdvancing = 4
/** Milliseconds to the next attempt when the manager is unavailable: the first, and the longest. */
const minDelay = 500
const maxDelay = 10_000

export function createPrivateChain(parts: PrivateChainParts): PrivateChain {
  const { chain, store, groups, executor, enclave, kind, clock, log } = parts
  const news = createLogNews(store, groups)
  const pause = createPauses()
  const missing = createMissingPayloads(store, clock, () => void follow())
  const progress = createProgress({ store, groups, news, clock, log })
  const late = createLatePayloads({ ...parts, missing, progress, news, isStopped: () => stopped, withViews })
  /** Groups whose execution has failed; they wait for the next attempt. */
  const failing = new Set<string>()
  let running = false
  /** Something has come that the running loop may not have seen. */
  let again = false
  const executing = new Set<Promise<unknown>>()
  /** Groups that catch up now. */
  const advancing = new Set<string>()
  let stopped = true
  let delay = minDelay
  let cancelRetry = (): void => {}
  let unfollow = (): void => {}

  const nextNumber = () => (progress.position()?.number ?? -1) + 1

  /** Passes blocks without private transactions; returns the next one that has some. */
  function findNext(): MarkedBlock | 'more' | undefined {
    return chain.read((view) => {
      progress.returnToCanonical(view)
      const from = nextNumber()
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
    })
  }

  /** The payloads that the manager has; 'missing' where it may still get one. */
  async function fetchAll({ block, keys }: MarkedBlock): Promise<ReadonlyMap<number, Found>> {
    const found = new Map<number, Found>()
    const places = new Map<string, number[]>()
    for (const [index, key] of keys) places.set(keyOf(key), [...(places.get(keyOf(key)) ?? []), index])
    const left = [...places.values()]
    // Markers can be repeated by anybody: each payload is opened once, which takes long, and others have their turn in between.
    async function work(): Promise<void> {
      for (let indices = left.shift(); indices; indices = left.shift()) {
        await pause()
        const key = keys.get(indices[0]!)!
        const fetched = await fetchForExecution(enclave, key, parts)
        if (fetched.kind === 'unusable') reportUnusable(log, key, Number(block.header.number), fetched.reason)
        else for (const index of indices) found.set(index, fetched.kind === 'received' ? fetched.received : 'missing')
      }
    }
    await Promise.all(Array.from({ length: maxFetching }, work))
    return found
  }

  /** Reads chain and store as they are now, while others have their turn. */
  async function withViews<T>(action: (view: ChainView, reader: Reader) => Promise<T>): Promise<T> {
    const view = chain.openView()
    const reader = store.openSnapshot()
    const done = action(view, reader).finally(() => {
      executing.delete(done)
      reader.close()
      view.close()
    })
    executing.add(done)
    return done
  }

  /** Executes the private transactions of the next block in the groups that have executed all before it, and do not take long. */
  async function execute({ block, keys }: MarkedBlock, fetched: ReadonlyMap<number, Found>): Promise<void> {
    const key = { number: Number(block.header.number), hash: block.hash }
    const received = new Map(
      [...fetched].flatMap(([index, tx]) => (tx !== 'missing' && canFile(tx, progress) ? [[index, tx] as const] : [])),
    )
    const before = progress.position()
    const outcomes: GroupOutcome[] = []
    /** Groups that execute the block later: they take long, have failed, or have more to do before it. */
    const later: GroupBehind[] = []
    const joinings: Joining[] = []
    await withViews(async (view, reader) => {
      // A reorganisation may have come while payloads were fetched.
      if (!view.isCanonical(block.hash)) return
      for (const tx of received.values()) joinings.push(...(await joiningsOf(parts, reader, view, tx, key.number)))
      const joining = new Set(joinings.map(({ group }) => keyOf(group)))
      for (const work of groupBlocksOf(block, received)) {
        const { group } = work
        if (joining.has(keyOf(group))) continue
        const one = { group, at: key.number - 1 }
        if (progress.behindOf(group)) {
          later.push(one)
          continue
        }
        try {
          const outcome = await executeGroupBlock(executor, groups, reader, view, work, maxTurns)
          if (outcome) outcomes.push(outcome)
          else later.push(one)
        } catch (error) {
          later.push(one)
          fail(group, key.number, error)
        }
      }
    })
    chain.read((view) => {
      if (stopped || progress.position() !== before || !view.isCanonical(block.hash)) return
      // One that was behind may have caught up meanwhile, with the blocks before this one.
      const behind = [...later.filter(({ group }) => !progress.behindOf(group)), ...joinings]
      store.write((txn) => {
        for (const index of fetched.keys()) {
          const tx = received.get(index)
          if (tx) writePayload(txn, { ...key, index }, tx)
          else missing.add(txn, splitMarker(keys.get(index)!).key, { ...key, index })
        }
        for (const outcome of outcomes) writeGroupOutcome(txn, groups, outcome)
        for (const one of joinings) {
          one.file(txn)
          groups.of(one.group).unwind(txn, one.at)
        }
        for (const one of behind) writeGroupCursor(txn, one)
        writeCursor(txn, key)
      })
      for (const one of behind) progress.setBehind(one)
      progress.moveTo(key)
      for (const { group } of outcomes) news.executed(view, group, key)
    })
  }

  /** Lets groups that are behind execute one more block each, beside everything else: none waits for a slow one. */
  function catchUp(): void {
    for (const { group } of progress.allBehind()) {
      const name = keyOf(group)
      if (stopped || advancing.size >= maxAdvancing) return
      if (failing.has(name) || advancing.has(name)) continue
      advancing.add(name)
      void advance(group).finally(() => {
        advancing.delete(name)
        catchUp()
      })
    }
  }

  async function advance(group: Uint8Array): Promise<void> {
    // Not before the caller has done what it does next.
    await pause(true)
    if (stopped) return
    let one: GroupBehind | undefined
    try {
      chain.read(progress.returnToCanonical)
      one = progress.behindOf(group)
      if (one) await executeNext(one)
    } catch (error) {
      fail(group, (one?.at ?? 0) + 1, error)
    }
  }

  /** Executes the next block of a group that is behind, unless something takes the group further back meanwhile. */
  async function executeNext(one: GroupBehind): Promise<void> {
    const { group, at } = one
    const end = progress.position()?.number ?? 0
    const outcome = await withViews(async (view, reader) => {
      const work = nextGroupBlock(reader, view, group, at, end)
      return work && executeGroupBlock(executor, groups, reader, view, work)
    })
    if (stopped || progress.behindOf(group) !== one) return
    if (!outcome) {
      if (end !== (progress.position()?.number ?? 0)) return
      store.write((txn) => removeGroupCursor(txn, group))
      progress.setCaughtUp(group)
      const fields = { group: toBase64(group), block: end }
      log.info(fields, 'group {group} has executed all private transactions to block {block}')
      progress.wake()
      return void follow()
    }
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

  /** The group waits for the next attempt; the others go on. */
  function fail(group: Uint8Array, block: number, error: unknown): void {
    if (stopped) return
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const fields = { group: toBase64(group), block, error: text }
    log.error(fields, 'private transactions of group {group} could not be executed from block {block} on')
    failing.add(keyOf(group))
    retryAfter(maxDelay)
  }

  async function follow(): Promise<void> {
    again = true
    if (running || stopped) return
    running = true
    try {
      for (;;) {
        again = false
        const asked = await late.askAgain()
        catchUp()
        const next = findNext()
        const fetched = next && next !== 'more' ? await fetchAll(next) : undefined
        if (stopped) break
        if (next && next !== 'more') {
          await execute(next, fetched!)
          catchUp()
        }
        if (stopped || !(asked || next || again)) break
        await pause(next === 'more')
        if (delay > minDelay) resume()
      }
    } catch (error) {
      waitForManager(error)
    } finally {
      running = false
    }
  }

  /** The manager is back: it may have got payloads meanwhile that it did not have before. */
  function resume(): void {
    delay = minDelay
    missing.askAll()
    log.info({ block: progress.position()?.number ?? 0 }, 'private transactions are executed again')
  }

  function waitForManager(error: unknown): void {
    if (stopped) return
    const fields = {
      block: nextNumber(),
      error: error instanceof Error ? error.message : String(error),
    }
    if (!(error instanceof EnclaveError)) log.error(fields, 'private transactions wait at block {block}')
    else if (delay === minDelay)
      log.warn(fields, 'private transactions wait at block {block}: the manager is unavailable')
    retryAfter(delay)
    delay = Math.min(2 * delay, maxDelay)
  }

  function retryAfter(milliseconds: number): void {
    cancelRetry()
    cancelRetry = clock.after(milliseconds, () => {
      failing.clear()
      void follow()
    })
  }

  return {
    position: () => progress.position()?.number ?? 0,
    groupsBehind: () => progress.allBehind().length,
    reach: progress.reach,
    onLogs: news.onLogs,
    onArrival(key) {
      missing.ask(key)
      void follow()
    },
    start() {
      stopped = false
      missing.askAll()
      unfollow = chain.onHead(() => void follow())
      void follow()
    },
    async stop() {
      stopped = true
      executor.stop()
      unfollow()
      cancelRetry()
      missing.stop()
      await Promise.allSettled(executing)
    },
  }
}
