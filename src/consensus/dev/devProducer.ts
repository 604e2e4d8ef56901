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

interface Wanted {
  readonly timestamp: bigint
  readonly allowEmpty: boolean
  readonly extraData?: Uint8Array
  readonly onlyEmpty?: boolean
}

/** Blocks on demand or by period, and which of them is being made. */
class DevMiner implements DevProducer {
  private readonly parts: DevProducerParts
  private readonly builder: ReturnType<typeof createBlockBuilder>
  private readonly difficulty: bigint
  private readonly merged: boolean
  readonly time: DevTime
  private automine: boolean
  private interval: number
  private cancelBlock: (() => void) | undefined
  private cancelInterval: (() => void) | undefined
  private unsubscribe: (() => void) | undefined
  private next: NextBlock = {}
  private readonly waiting: (() => void)[] = []
  readonly protocols: DevProducer['protocols'] = []

  constructor(parts: DevProducerParts) {
    this.parts = parts
    this.builder = createBlockBuilder({
      chain: parts.chain,
      pool: parts.pool,
      clock: parts.clock,
      settings: parts.settings,
    })
    const { consensus } = parts.chain.spec
    this.difficulty = consensus.kind === 'ethash' ? (consensus.fixedDifficulty ?? 1n) : 0n
    this.merged = consensus.kind === 'none'
    this.time = createDevTime(parts.clock)
    this.automine = parts.period === 0
    this.interval = parts.period * 1000
  }

  private build({ timestamp, allowEmpty, extraData, onlyEmpty }: Wanted): HashedBlock | undefined {
    const parent = this.parts.chain.head()
    const made = this.builder.produce({
      parent,
      timestamp,
      beneficiary: this.parts.settings().beneficiary,
      extraData: extraData ?? this.parts.settings().extraData,
      difficulty: this.difficulty,
      // Contracts see it as PREVRANDAO: another number in each block.
      mixHash: this.merged ? (this.next.prevRandao ?? keccak256(parent.hash)) : zeroHash,
      allowEmpty,
      ...(this.next.baseFee !== undefined && { baseFee: this.next.baseFee }),
      ...(onlyEmpty && { onlyEmpty }),
    })
    if (made && !onlyEmpty) this.next = {}
    return made
  }

  /** Makes a block of pending transactions; undefined if it would be empty and must not be. */
  private makeBlock(allowEmpty: boolean): HashedBlock | undefined {
    const { timestamp, onMade } = this.time.next(this.parts.chain.head().header.timestamp)
    const made = this.build({ timestamp, allowEmpty })
    if (made) onMade()
    return made
  }

  private attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.parts.onError(error)
    }
  }

  /** Makes one block for all transactions that arrived together, and more until no executable one is left. */
  private onTransaction(): void {
    if (this.cancelBlock || !this.automine || !this.unsubscribe) return
    this.cancelBlock = this.parts.clock.after(0, () => {
      this.cancelBlock = undefined
      this.attempt(() => {
        // Without this, the first of all would wait for the EVM to be compiled.
        if (this.parts.pool.count() > 0 && this.makeBlock(false)) this.onTransaction()
      })
      if (!this.cancelBlock) this.settle()
    })
  }

  private settle(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private cancelAll(): void {
    this.cancelBlock?.()
    this.cancelInterval?.()
    this.cancelBlock = this.cancelInterval = undefined
    this.settle()
  }

  private onInterval(): void {
    if (this.interval === 0) return
    this.cancelInterval = this.parts.clock.after(this.interval, () => {
      this.onInterval()
      this.attempt(() => this.makeBlock(true))
    })
  }

  private restart(): void {
    this.cancelAll()
    if (!this.unsubscribe) return
    this.onInterval()
    this.onTransaction()
  }

  readonly isRunning = (): boolean => this.unsubscribe !== undefined

  readonly start = (): void => {
    if (this.unsubscribe) return
    this.unsubscribe = this.parts.pool.subscribe(({ type }) => {
      if (type === 'added') this.onTransaction()
    })
    this.restart()
  }

  readonly stop = (): void => {
    this.unsubscribe?.()
    this.unsubscribe = undefined
    this.cancelAll()
  }

  readonly mine: DevProducer['mine'] = () => this.makeBlock(true)!

  readonly mineEdits: DevProducer['mineEdits'] = (extraData) => {
    const { number, timestamp } = this.parts.chain.head().header
    const at = number === 0n ? this.time.next(timestamp).timestamp : timestamp
    return this.build({ timestamp: at, allowEmpty: true, extraData, onlyEmpty: true })!
  }

  readonly isAutomine: DevProducer['isAutomine'] = () => this.automine

  readonly setAutomine: DevProducer['setAutomine'] = (on) => {
    this.automine = on
    this.restart()
  }

  readonly setInterval: DevProducer['setInterval'] = (milliseconds) => {
    this.interval = milliseconds
    this.restart()
  }

  readonly setNext: DevProducer['setNext'] = (more) => {
    this.next = { ...this.next, ...more }
  }

  readonly nextBlock: DevProducer['nextBlock'] = () => {
    const { number, timestamp } = this.parts.chain.head().header
    return { ...this.next, number: number + 1n, time: this.time.next(timestamp).timestamp }
  }

  readonly reset: DevProducer['reset'] = () => {
    this.time.reset()
    this.next = {}
    this.automine = this.parts.period === 0
    this.interval = this.parts.period * 1000
    this.restart()
  }

  readonly settled: DevProducer['settled'] = () =>
    this.cancelBlock ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve()
}

export function createDevProducer(parts: DevProducerParts): DevProducer {
  return new DevMiner(parts)
}
