import type { Chain } from '../../chain/chain.ts'
import type { HashedBlock } from '../../chain/view.ts'
import type { Pool } from '../../pool/pool.ts'
import { type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Clock } from '../../system/clock.ts'
import { createBlockBuilder, type ProducerSettings } from '../producing/blockBuilder.ts'
import type { Producer } from '../producing/producer.ts'
import { createDevTime, type DevTime } from './devTime.ts'

export interface DevProducerParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly settings: () => ProducerSettings
  /** Seconds between blocks; 0 makes a block as soon as a transaction is pending. */
  readonly period: number
  /** Called when a block cannot be made; the producer continues with the next one. */
  readonly onError: (error: unknown) => void
}

/** What users may set for the next block alone. */
export interface NextBlock {
  readonly baseFee?: bigint
  readonly prevRandao?: Hash32
}

/** Makes the blocks of the DEV network, which has a single node. */
export interface DevProducer extends Producer {
  readonly time: DevTime
  /** Makes a block of what is pending, or an empty one. */
  mine(): HashedBlock
  /** Makes a block without transactions that begins with edits, and takes as little time as it can. */
  mineEdits(extraData: Uint8Array): HashedBlock
  /** Whether a block is made as soon as a transaction is pending. */
  isAutomine(): boolean
  setAutomine(on: boolean): void
  /** Makes a block every so many milliseconds; 0 stops that. */
  setInterval(milliseconds: number): void
  setNext(next: NextBlock): void
  /** What is known of the next block. */
  nextBlock(): NextBlock & { readonly number: bigint; readonly time: bigint }
  /** Goes back to the settings of a new chain. */
  reset(): void
  /** Resolves when the block of the transactions that are pending is made; at once if none is under way. */
  settled(): Promise<void>
}

export function createDevProducer(parts: DevProducerParts): DevProducer {
  const { chain, pool, clock, settings, period, onError } = parts
  const builder = createBlockBuilder({ chain, pool, clock, settings })
  const { consensus } = chain.spec
  const difficulty = consensus.kind === 'ethash' ? (consensus.fixedDifficulty ?? 1n) : 0n
  const merged = consensus.kind === 'none'
  const time = createDevTime(clock)
  let automine = period === 0
  let interval = period * 1000
  let cancelBlock: (() => void) | undefined
  let cancelInterval: (() => void) | undefined
  let unsubscribe: (() => void) | undefined
  let next: NextBlock = {}
  const waiting: (() => void)[] = []

  interface Wanted {
    readonly timestamp: bigint
    readonly allowEmpty: boolean
    readonly extraData?: Uint8Array
    readonly onlyEmpty?: boolean
  }

  function build({ timestamp, allowEmpty, extraData, onlyEmpty }: Wanted): HashedBlock | undefined {
    const parent = chain.head()
    const made = builder.produce({
      parent,
      timestamp,
      beneficiary: settings().beneficiary,
      extraData: extraData ?? settings().extraData,
      difficulty,
      // Contracts see it as PREVRANDAO: another number in each block.
      mixHash: merged ? (next.prevRandao ?? keccak256(parent.hash)) : zeroHash,
      allowEmpty,
      ...(next.baseFee !== undefined && { baseFee: next.baseFee }),
      ...(onlyEmpty && { onlyEmpty }),
    })
    if (made && !onlyEmpty) next = {}
    return made
  }

  /** Makes a block of pending transactions; undefined if it would be empty and must not be. */
  function makeBlock(allowEmpty: boolean): HashedBlock | undefined {
    const { timestamp, onMade } = time.next(chain.head().header.timestamp)
    const made = build({ timestamp, allowEmpty })
    if (made) onMade()
    return made
  }

  function attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      onError(error)
    }
  }

  /** Makes one block for all transactions that arrived together, and more until no executable one is left. */
  function onTransaction(): void {
    if (cancelBlock || !automine || !unsubscribe) return
    cancelBlock = clock.after(0, () => {
      cancelBlock = undefined
      attempt(() => {
        // Without this, the first of all would wait for the EVM to be compiled.
        if (pool.count() > 0 && makeBlock(false)) onTransaction()
      })
      if (!cancelBlock) settle()
    })
  }

  function settle(): void {
    for (const resolve of waiting.splice(0)) resolve()
  }

  function cancelAll(): void {
    cancelBlock?.()
    cancelInterval?.()
    cancelBlock = cancelInterval = undefined
    settle()
  }

  function onInterval(): void {
    if (interval === 0) return
    cancelInterval = clock.after(interval, () => {
      onInterval()
      attempt(() => makeBlock(true))
    })
  }

  function restart(): void {
    cancelAll()
    if (!unsubscribe) return
    onInterval()
    onTransaction()
  }

  return {
    protocols: [],
    time,
    isRunning: (): boolean => unsubscribe !== undefined,
    start(): void {
      if (unsubscribe) return
      unsubscribe = pool.subscribe(({ type }) => {
        if (type === 'added') onTransaction()
      })
      restart()
    },
    stop(): void {
      unsubscribe?.()
      unsubscribe = undefined
      cancelAll()
    },
    mine: () => makeBlock(true)!,
    mineEdits(extraData) {
      const { number, timestamp } = chain.head().header
      const at = number === 0n ? time.next(timestamp).timestamp : timestamp
      return build({ timestamp: at, allowEmpty: true, extraData, onlyEmpty: true })!
    },
    isAutomine: () => automine,
    setAutomine(on) {
      automine = on
      restart()
    },
    setInterval(milliseconds) {
      interval = milliseconds
      restart()
    },
    setNext(more) {
      next = { ...next, ...more }
    },
    nextBlock() {
      const { number, timestamp } = chain.head().header
      return { ...next, number: number + 1n, time: time.next(timestamp).timestamp }
    },
    reset() {
      time.reset()
      next = {}
      automine = period === 0
      interval = period * 1000
      restart()
    },
    settled: () => (cancelBlock ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  }
}
