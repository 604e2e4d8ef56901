import type { Chain } from '../chain/chain.ts'
import type { ChainView, HashedBlock, PlacedLog } from '../chain/view.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Logger } from '../primitives/logger.ts'
import type { BlockKey } from '../store/chainTables.ts'
import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../store/codec.ts'
import type { Store } from '../store/openStore.ts'
import { privateCursor } from '../store/schema.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { toBase64 } from './base64.ts'
import { type Enclave, EnclaveError } from './enclave.ts'
import { PrivacyError } from './fault.ts'
import type { GroupStates } from './groupStates.ts'
import { markedKey } from './markers.ts'
import { isForMembers, type ReceivedTx, receiveTx } from './payloads.ts'
import type { PrivateExecutor, PrivateJob } from './privateExecutor.ts'
import { logsOfReceipts } from './privateLogs.ts'
import { privateReceiptsIn, writePrivateReceipt } from './privateReceipts.ts'
import { privateSenderOf } from './privateTx.ts'

export interface PrivateChainParts {
  readonly chain: Pick<Chain, 'read' | 'onHead'>
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
  readonly enclave: Enclave
  readonly clock: Clock
  readonly log: Logger
}

/** The logs of a group in a block whose private transactions were executed, or undone by a reorganisation. */
export interface PrivateLogs {
  readonly group: Uint8Array
  readonly logs: readonly PlacedLog[]
  readonly removed: boolean
}

/**
 * Executes the private transactions of the public chain, behind it: blocks are imported whether or not the manager has
 * their payloads, and what comes late is executed late, in order.
 */
export interface PrivateChain {
  /** The last block whose private transactions were executed. */
  position(): number
  /** Waits some seconds until a block is reached; a PrivacyError says that the private state is behind. */
  reach(block: bigint): Promise<void>
  /** Calls the listener with the logs of each group after each block. */
  onLogs(listener: (logs: PrivateLogs) => void): () => void
  start(): void
  stop(): void
}

/** A block with private transactions, and the keys of their payloads by the markers' index. */
interface MarkedBlock {
  readonly block: HashedBlock
  readonly keys: ReadonlyMap<number, Uint8Array>
}

const cursorKey = 'executed'
/** Blocks that are looked at in one go: the node has other things to do as well. */
const maxBlocks = 200
/** Blocks without private transactions after which the position is stored. */
const storeEvery = 1000
/** Milliseconds to the next attempt when the manager is unavailable: the first, and the longest. */
const minDelay = 500
const maxDelay = 10_000
/** Milliseconds that a question waits for its block. */
const patience = 10_000

export function createPrivateChain(parts: PrivateChainParts): PrivateChain {
  const { chain, store, groups, executor, enclave, clock, log } = parts
  const listeners = new Set<(logs: PrivateLogs) => void>()
  const waiting = new Set<() => void>()
  let position = store.read(readCursor)
  let stored = position?.number ?? 0
  let running = false
  let stopped = true
  let delay = minDelay
  let cancelRetry = (): void => {}
  let unfollow = (): void => {}

  function moveTo(key: BlockKey): void {
    position = key
    for (const check of waiting) check()
  }

  /** Goes back to the last block that is still canonical. */
  function returnToCanonical(view: ChainView): void {
    let key = position
    while (key && !view.isCanonical(key.hash)) {
      announce(view, key, true)
      const parent = view.headerBy(key.hash)?.header.parentHash
      key = parent && { number: key.number - 1, hash: parent }
    }
    if (key === position) return
    log.info({ block: key?.number ?? 0 }, 'private state goes back to block {block}')
    store.write((txn) => {
      groups.unwind(txn, key?.number ?? 0)
      if (key) writeCursor(txn, key)
    })
    stored = key?.number ?? 0
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
          const key = markedKey(tx)
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

  async function fetchPayload(key: Uint8Array): Promise<ReceivedTx | undefined> {
    const received = await receiveTx(enclave, key)
    return received && (await isForMembers(enclave, received, toBase64(received.group))) ? received : undefined
  }

  async function fetchAll({ keys }: MarkedBlock): Promise<ReadonlyMap<number, ReceivedTx>> {
    const found = new Map<number, ReceivedTx>()
    await Promise.all(
      [...keys].map(async ([index, key]) => {
        const received = await fetchPayload(key)
        if (received) found.set(index, received)
      }),
    )
    return found
  }

  function execute({ block }: MarkedBlock, payloads: ReadonlyMap<number, ReceivedTx>): void {
    const key = { number: Number(block.header.number), hash: block.hash }
    chain.read((view) => {
      // A reorganisation may have come while payloads were fetched.
      if (!view.isCanonical(block.hash)) return
      const outcomes = store.read((reader) =>
        [...jobsByGroup(payloads)].map(([group, jobs, isLegacy]) => {
          const state = groups.of(group).at(reader, 'latest')
          return { group, jobs, isLegacy, ...executor.runBlock(view, block, group, state, jobs) }
        }),
      )
      store.write((txn) => {
        for (const { group, jobs, isLegacy, receipts, changes } of outcomes) {
          for (const [i, { index }] of jobs.entries()) writePrivateReceipt(txn, group, { ...key, index }, receipts[i]!)
          if (changes.accounts.length > 0) groups.commit(txn, group, key.number, changes, isLegacy)
        }
        writeCursor(txn, key)
      })
      stored = key.number
      moveTo(key)
      announce(view, key, false)
    })
  }

  /** Tells listeners of the logs of a block. */
  function announce(view: ChainView, { number, hash }: BlockKey, removed: boolean): void {
    if (listeners.size === 0) return
    store.read((reader) => {
      for (const group of groups.all(reader)) {
        const logs = logsOfBlockIn(reader, view, group, number, hash)
        if (logs.length > 0) for (const listener of listeners) listener({ group, logs, removed })
      }
    })
  }

  async function follow(): Promise<void> {
    if (running || stopped) return
    running = true
    try {
      for (;;) {
        const next = findNext()
        if (!next) break
        if (next === 'more') await new Promise((resolve) => setImmediate(resolve))
        else execute(next, await fetchAll(next))
        if (stopped) break
        if (delay > minDelay) log.info({ block: position?.number ?? 0 }, 'private transactions are executed again')
        delay = minDelay
      }
    } catch (error) {
      retryLater(error)
    } finally {
      running = false
    }
  }

  function retryLater(error: unknown): void {
    if (stopped) return
    const fields = {
      block: (position?.number ?? -1) + 1,
      error: error instanceof Error ? error.message : String(error),
    }
    if (error instanceof EnclaveError) {
      if (delay === minDelay) log.warn(fields, 'private transactions wait at block {block}: the manager is unavailable')
    } else log.error(fields, 'private transactions of block {block} could not be executed')
    cancelRetry()
    cancelRetry = clock.after(delay, () => void follow())
    delay = Math.min(2 * delay, maxDelay)
  }

  return {
    position: () => position?.number ?? 0,
    reach(block) {
      const there = () => BigInt(position?.number ?? -1) >= block
      if (there()) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const check = () => {
          if (!there()) return
          cancel()
          waiting.delete(check)
          resolve()
        }
        const cancel = clock.after(patience, () => {
          waiting.delete(check)
          reject(new PrivacyError({ code: 'PRIVATE_STATE_BEHIND', at: BigInt(position?.number ?? 0), wanted: block }))
        })
        waiting.add(check)
      })
    },
    onLogs(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      stopped = false
      unfollow = chain.onHead(() => void follow())
      void follow()
    },
    stop() {
      stopped = true
      unfollow()
      cancelRetry()
    },
  }
}

function logsOfBlockIn(reader: Reader, view: ChainView, group: Uint8Array, number: number, hash: Hash32): PlacedLog[] {
  return logsOfReceipts(view, privateReceiptsIn(reader, group, number, number)).filter(
    ({ blockHash }) => keyOf(blockHash) === keyOf(hash),
  )
}

/** A group, its transactions in a block, and whether they name its members. */
type GroupJobs = readonly [group: Uint8Array, jobs: PrivateJob[], isLegacy: boolean]

function jobsByGroup(payloads: ReadonlyMap<number, ReceivedTx>): Iterable<GroupJobs> {
  const groups = new Map<string, GroupJobs>()
  for (const [index, { tx, group }] of [...payloads].sort(([a], [b]) => a - b)) {
    const sender = privateSenderOf(tx)
    if (!sender) continue
    const key = keyOf(group)
    if (!groups.has(key)) groups.set(key, [group, [], 'privateFor' in tx.recipients])
    const { to, nonce, gasPrice, data } = tx
    groups.get(key)![1].push({ index, message: { sender, to, nonce, gasPrice, data } })
  }
  return groups.values()
}

function readCursor(reader: Reader): BlockKey | undefined {
  const bytes = reader.get(privateCursor, cursorKey)
  if (!bytes) return undefined
  return { number: readBlockNumber(bytes, 0), hash: bytes.slice(blockNumberLength) as Uint8Array as Hash32 }
}

function writeCursor(txn: Transaction, { number, hash }: BlockKey): void {
  const bytes = new Uint8Array(blockNumberLength + 32)
  writeBlockNumber(bytes, 0, number)
  bytes.set(hash, blockNumberLength)
  txn.put(privateCursor, cursorKey, bytes)
}
