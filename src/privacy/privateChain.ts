import type { Chain } from '../chain/chain.ts'
import type { ChainView, HashedBlock } from '../chain/view.ts'
import { equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Logger } from '../primitives/logger.ts'
import type { BlockKey } from '../store/chainTables.ts'
import type { Store } from '../store/openStore.ts'
import type { Reader } from '../store/table.ts'
import { toBase64 } from './base64.ts'
import {
  type GroupBehind,
  readCursor,
  readGroupsBehind,
  removeGroupCursor,
  writeCursor,
  writeGroupCursor,
} from './cursors.ts'
import { type Enclave, EnclaveError } from './enclave.ts'
import { type Joining, joiningsOf } from './flexible/joinGroup.ts'
import {
  executeGroupBlock,
  type GroupOutcome,
  groupBlocksOf,
  nextGroupBlock,
  writeGroupOutcome,
  writePayload,
} from './groupBlocks.ts'
import type { GroupStates } from './groupStates.ts'
import { type GroupKind, markedKey, splitMarker } from './markers.ts'
import { createMissingPayloads } from './missingPayloads.ts'
import { type Fetched, fetchForExecution, type ReceivedTx } from './payloads.ts'
import type { PrivateExecutor } from './privateExecutor.ts'
import { createLogNews, type LogNews } from './privateLogs.ts'
import { createReach, type Reach } from './reach.ts'
import { createYielding } from './yielding.ts'

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

/** What was found out about a history whose addition is in a block. */
interface LateJoining {
  readonly hash: Hash32
  readonly plan: Joining | undefined
}

/** Blocks that are looked at in one go: the node has other things to do as well. */
const maxBlocks = 200
/** Blocks without private transactions after which the position is stored. */
const storeEvery = 1000
/** Milliseconds to the next attempt when the manager is unavailable: the first, and the longest. */
const minDelay = 500
const maxDelay = 10_000

export function createPrivateChain(parts: PrivateChainParts): PrivateChain {
  const { chain, store, groups, executor, enclave, kind, clock, log } = parts
  const news = createLogNews(store, groups)
  const yieldTurn = createYielding()
  const missing = createMissingPayloads(store, clock, () => void follow())
  const behind = store.read(readGroupsBehind)
  let position = store.read(readCursor)
  let stored = position?.number ?? 0
  /** Groups whose execution has failed; they wait for the next attempt. */
  const failing = new Set<string>()
  let running = false
  let executing: Promise<unknown> = Promise.resolve()
  let stopped = true
  let delay = minDelay
  let cancelRetry = (): void => {}
  let unfollow = (): void => {}

  const reached = (group: Uint8Array) => behind.get(keyOf(group))?.at ?? position?.number ?? -1
  const { reach, wake } = createReach(clock, reached)

  function moveTo(key: BlockKey): void {
    position = key
    wake()
  }

  /** Goes back to the last block that is still canonical. */
  function returnToCanonical(view: ChainView): void {
    let key = position
    while (key && !view.isCanonical(key.hash)) {
      news.blockUndone(view, key, (group) => reached(group) >= key!.number)
      const parent = view.headerBy(key.hash)?.header.parentHash
      key = parent && { number: key.number - 1, hash: parent }
    }
    if (key === position) return
    const number = key?.number ?? 0
    log.info({ block: number }, 'private state goes back to block {block}')
    store.write((txn) => {
      groups.unwind(txn, number)
      for (const { group, at } of behind.values()) if (at >= number) removeGroupCursor(txn, group)
      if (key) writeCursor(txn, key)
    })
    for (const [name, { at }] of behind) if (at >= number) behind.delete(name)
    stored = number
    position = key
  }

  /** Passes blocks without private transactions; returns the next one that has some. */
  function findNext(): MarkedBlock | 'more' | undefined {
    return chain.read((view) => {
      returnToCanonical(view)
      const from = position ? position.number + 1 : 0
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
        pass({ number, hash: block.hash })
      }
      return undefined
    })
  }

  function pass(key: BlockKey): void {
    moveTo(key)
    if (key.number - stored < storeEvery) return
    store.write((txn) => writeCursor(txn, key))
    stored = key.number
  }

  /** The payloads that the manager has; 'missing' where it may still get one. */
  async function fetchAll({ block, keys }: MarkedBlock): Promise<ReadonlyMap<number, Found>> {
    const found = new Map<number, Found>()
    await Promise.all(
      [...keys].map(async ([index, key]) => {
        const fetched = await fetchForExecution(enclave, key, parts)
        if (fetched.kind === 'received') found.set(index, fetched.received)
        else if (fetched.kind === 'missing') found.set(index, 'missing')
        else reportUnusable(key, Number(block.header.number), fetched.reason)
      }),
    )
    return found
  }

  function reportUnusable(key: Uint8Array, block: number, reason: string): void {
    const fields = { key: toBase64(splitMarker(key).key), block, reason }
    log.warn(fields, 'the payload {key} of block {block} is ignored: {reason}')
  }

  /** Reads chain and store as they are now, while others have their turn. */
  async function withViews<T>(action: (view: ChainView, reader: Reader) => Promise<T>): Promise<T> {
    const view = chain.openView()
    const reader = store.openSnapshot()
    executing = action(view, reader).finally(() => {
      reader.close()
      view.close()
    })
    return executing as Promise<T>
  }

  /** Executes the private transactions of the next block in the groups that have executed all before it. */
  async function execute({ block, keys }: MarkedBlock, fetched: ReadonlyMap<number, Found>): Promise<void> {
    const key = { number: Number(block.header.number), hash: block.hash }
    const received = new Map([...fetched].flatMap(([index, tx]) => (canFile(tx) ? [[index, tx] as const] : [])))
    const outcomes: GroupOutcome[] = []
    const failed: GroupBehind[] = []
    const joinings: Joining[] = []
    await withViews(async (view, reader) => {
      // A reorganisation may have come while payloads were fetched.
      if (!view.isCanonical(block.hash)) return
      for (const tx of received.values()) joinings.push(...(await joiningsOf(parts, reader, view, tx, key.number)))
      const joining = new Set(joinings.map(({ group }) => keyOf(group)))
      for (const work of groupBlocksOf(block, received)) {
        const { group } = work
        if (behind.has(keyOf(group)) || joining.has(keyOf(group))) continue
        try {
          outcomes.push(await executeGroupBlock(executor, groups, reader, view, work))
        } catch (error) {
          failed.push({ group, at: key.number - 1 })
          fail(group, key.number, error)
        }
      }
    })
    chain.read((view) => {
      if (stopped || !view.isCanonical(block.hash)) return
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
        for (const one of [...failed, ...joinings]) writeGroupCursor(txn, one)
        writeCursor(txn, key)
      })
      for (const { group, at } of [...failed, ...joinings]) behind.set(keyOf(group), { group, at })
      stored = key.number
      moveTo(key)
      for (const { group } of outcomes) news.executed(view, group, key)
    })
  }

  /** What adds this node to a group that is behind waits: only then it is known what the node has executed. */
  function canFile(tx: Found): tx is ReceivedTx {
    return tx !== 'missing' && !(tx.history && behind.has(keyOf(tx.group)))
  }

  /** Asks for payloads that were missing; returns whether there may be more to ask for. */
  async function askAgain(): Promise<boolean> {
    const keys = missing.due()
    if (keys.length === 0) return false
    const failed: Uint8Array[] = []
    const invited: (readonly [key: Uint8Array, fetched: Fetched])[] = []
    await Promise.all(
      keys.map(async (key) => {
        const marked = markedAt(key)
        if (!marked) return
        try {
          const fetched = await fetchForExecution(enclave, marked, parts)
          if (fetched.kind === 'received' && fetched.received.history) invited.push([key, fetched])
          else settle(key, fetched)
        } catch (error) {
          if (!(error instanceof EnclaveError)) throw error
          // What is missing must not hold up what comes.
          failed.push(key)
        }
      }),
    )
    // Histories are executed one after the other.
    for (const [key, fetched] of invited) settle(key, fetched, await joinLate(key, fetched))
    if (!stopped) missing.asked(keys, failed)
    return true
  }

  /** What the first marker of a payload carries. */
  function markedAt(key: Uint8Array): Uint8Array | undefined {
    const [at] = missing.placesOf(key)
    return at && chain.read((view) => view.body(at.hash)?.transactions[at.index]?.data)
  }

  /** How this node takes a history in whose addition has come late. */
  function joinLate(key: Uint8Array, fetched: Fetched): Promise<LateJoining | undefined> {
    return withViews(async (view, reader) => {
      const at = missing.placesOf(key).find(({ hash }) => view.isCanonical(hash))
      if (!at || fetched.kind !== 'received' || !canFile(fetched.received)) return undefined
      const [plan] = await joiningsOf(parts, reader, view, fetched.received, at.number)
      return { hash: at.hash, plan }
    })
  }

  /** Files a payload that has come late; its group goes back to the block before. */
  function settle(key: Uint8Array, fetched: Fetched, late?: LateJoining): void {
    if (stopped || fetched.kind === 'missing') return
    const found = fetched.kind === 'received' ? fetched.received : fetched.reason
    const places = missing.placesOf(key)
    if (places.length === 0) return
    chain.read((view) => {
      returnToCanonical(view)
      const canonical = places.filter(({ hash }) => view.isCanonical(hash))
      const first = canonical[0]
      // What adds this node to a group is looked at again if the chain is another one now.
      const isLate = typeof found !== 'string' && found.history !== undefined && first !== undefined
      if (isLate && !(late && canFile(found) && equalBytes(late.hash, first.hash))) return
      const hasPassed = typeof found !== 'string' && first && reached(found.group) >= first.number
      const back = late?.plan ?? (hasPassed ? { group: found.group, at: first.number - 1 } : undefined)
      if (back) news.groupUndone(view, back.group, back.at + 1, reached(back.group))
      store.write((txn) => {
        for (const at of places) missing.remove(txn, key, at)
        if (typeof found !== 'string') for (const at of places) writePayload(txn, at, found)
        late?.plan?.file(txn)
        if (!back) return
        groups.of(back.group).unwind(txn, back.at)
        writeGroupCursor(txn, back)
      })
      if (typeof found === 'string') return reportUnusable(key, places[0]!.number, found)
      if (!back) return
      behind.set(keyOf(back.group), { group: back.group, at: back.at })
      const fields = { group: toBase64(back.group), block: first!.number }
      log.info(fields, 'a payload of block {block} has come late: group {group} executes again from there')
    })
  }

  /** Executes one more block in each group that is behind; returns whether there was one. */
  async function catchUp(): Promise<boolean> {
    const ready = [...behind.values()].filter(({ group }) => !failing.has(keyOf(group)))
    for (const { group, at } of ready) {
      try {
        chain.read(returnToCanonical)
        // Unless a reorganisation has taken it further back.
        if (behind.get(keyOf(group))?.at === at) await advance(group, at)
      } catch (error) {
        fail(group, at + 1, error)
      }
      await yieldTurn()
    }
    return ready.length > 0
  }

  async function advance(group: Uint8Array, at: number): Promise<void> {
    const end = position?.number ?? 0
    const outcome = await withViews(async (view, reader) => {
      const work = nextGroupBlock(reader, view, group, at, end)
      return work && executeGroupBlock(executor, groups, reader, view, work)
    })
    if (stopped) return
    if (!outcome) {
      store.write((txn) => removeGroupCursor(txn, group))
      behind.delete(keyOf(group))
      const fields = { group: toBase64(group), block: end }
      log.info(fields, 'group {group} has executed all private transactions to block {block}')
      return wake()
    }
    const { block } = outcome
    const next = { group, at: Number(block.header.number) }
    chain.read((view) => {
      if (!view.isCanonical(block.hash)) return
      store.write((txn) => {
        writeGroupOutcome(txn, groups, outcome)
        writeGroupCursor(txn, next)
      })
      behind.set(keyOf(group), next)
      news.executed(view, group, { number: next.at, hash: block.hash })
    })
    wake()
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
    if (running || stopped) return
    running = true
    try {
      for (;;) {
        const asked = await askAgain()
        const caughtUp = await catchUp()
        const next = findNext()
        const fetched = next && next !== 'more' ? await fetchAll(next) : undefined
        if (stopped) break
        if (next && next !== 'more') await execute(next, fetched!)
        if (stopped || !(asked || caughtUp || next)) break
        await yieldTurn(next === 'more')
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
    log.info({ block: position?.number ?? 0 }, 'private transactions are executed again')
  }

  function waitForManager(error: unknown): void {
    if (stopped) return
    const fields = {
      block: (position?.number ?? -1) + 1,
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
    position: () => position?.number ?? 0,
    groupsBehind: () => behind.size,
    reach,
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
      await executing.catch(() => {})
    },
  }
}
