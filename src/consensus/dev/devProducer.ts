import type { Chain } from '../../chain/chain.ts'
import type { HashedBlock } from '../../chain/view.ts'
import type { Pool } from '../../pool/pool.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { createBlockBuilder, type ProducerSettings } from '../producing/blockBuilder.ts'
import type { Producer } from '../producing/producer.ts'

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

/** Makes the blocks of the DEV network, which has a single node. */
export function createDevProducer({ chain, pool, clock, settings, period, onError }: DevProducerParts): Producer {
  const builder = createBlockBuilder({ chain, pool, clock, settings })
  const { consensus } = chain.spec
  const difficulty = consensus.kind === 'ethash' ? (consensus.fixedDifficulty ?? 1n) : 0n
  const merged = consensus.kind === 'none'
  let cancel: (() => void) | undefined
  let unsubscribe: (() => void) | undefined

  /** Makes a block of pending transactions; undefined if it would be empty and must not be. */
  function makeBlock(allowEmpty: boolean): HashedBlock | undefined {
    const parent = chain.head()
    const now = BigInt(Math.floor(clock.now() / 1000))
    const timestamp = now > parent.header.timestamp ? now : parent.header.timestamp + 1n
    const { beneficiary, extraData } = settings()
    // Contracts see it as PREVRANDAO: another number in each block.
    const mixHash = merged ? keccak256(parent.hash) : zeroHash
    return builder.produce({ parent, timestamp, beneficiary, extraData, difficulty, mixHash, allowEmpty })
  }

  function schedule(milliseconds: number, action: () => void): void {
    cancel = clock.after(milliseconds, () => {
      cancel = undefined
      try {
        action()
      } catch (error) {
        onError(error)
      }
    })
  }

  /** Makes one block for all transactions that arrived together, and more until no executable one is left. */
  function onTransaction(): void {
    if (cancel) return
    schedule(0, () => {
      if (makeBlock(false)) onTransaction()
    })
  }

  function onPeriod(): void {
    schedule(period * 1000, () => {
      onPeriod()
      makeBlock(true)
    })
  }

  return {
    protocols: [],
    isRunning: (): boolean => unsubscribe !== undefined,
    start(): void {
      if (unsubscribe) return
      if (period > 0) {
        unsubscribe = () => {}
        onPeriod()
        return
      }
      unsubscribe = pool.subscribe(({ type }) => {
        if (type === 'added') onTransaction()
      })
      onTransaction()
    },
    stop(): void {
      unsubscribe?.()
      unsubscribe = undefined
      cancel?.()
      cancel = undefined
    },
  }
}
