import type { Chain } from '../chain/chain.ts'
import type { DevProducer } from '../consensus/dev/devProducer.ts'
import type { PoolFault } from '../pool/fault.ts'
import type { Pool } from '../pool/pool.ts'
import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Clock } from '../system/clock.ts'
import type { AccountEdit } from '../types/accountEdit.ts'
import { txHash } from '../types/encodeTx.ts'
import { impersonate } from '../types/impersonate.ts'
import type { Tx } from '../types/transaction.ts'
import { DevError } from './fault.ts'
import { createSnapshots } from './snapshots.ts'
import type { StateEdits } from './stateEdits.ts'

export interface DevToolsParts {
  readonly chain: Chain
  readonly edits: Pick<StateEdits, 'add'>
  readonly pool: Pool
  readonly producer: DevProducer
  readonly clock: Clock
}

/** How many blocks to make at once, and when. */
export interface MineOptions {
  readonly blocks: number
  /** Timestamp of the first block. */
  readonly timestamp?: bigint | undefined
  /** Seconds between the blocks. */
  readonly interval?: bigint | undefined
}

/** What tests do with a development network. A DevError says why something is not possible. */
export interface DevTools {
  mine(options: MineOptions): Promise<void>
  setAutomine(on: boolean): void
  isAutomine(): boolean
  /** Makes a block every so many milliseconds; 0 stops that. */
  setIntervalMining(milliseconds: number): void
  /** Remembers the chain as it is; returns a number for `revert`. */
  snapshot(): number
  /** Goes back to a snapshot, which is gone then, with all later ones; false if there is no such snapshot. */
  revert(id: number): boolean
  /** Goes back to the genesis block and the settings of a new chain. */
  reset(): void
  /** Moves the time forward; returns by how many seconds it is ahead of the clock. */
  increaseTime(seconds: bigint): bigint
  setNextTimestamp(timestamp: bigint): void
  setNextBaseFee(wei: bigint): void
  setNextPrevRandao(value: Hash32): void
  /** Changes an account, in a block of its own. */
  edit(edit: AccountEdit): void
  /** Removes a transaction from the pool; false if it is not there. */
  drop(hash: Hash32): boolean
  setImpersonated(address: Address, on: boolean): void
  setImpersonatedAll(on: boolean): void
  /** Whether transactions of this sender are accepted without a signature. */
  isImpersonated(address: Address): boolean
  /** Sends a transaction that nobody signed; returns it, or why the pool refuses it. */
  send(tx: Tx, sender: Address): { readonly hash: Hash32 } | { readonly fault: PoolFault }
}

/** Blocks made at once before others have their turn, and the maximum of one call. */
const blocksPerTurn = 16
const maxBlocks = 100_000

export function createDevTools({ chain, edits, pool, producer, clock }: DevToolsParts): DevTools {
  const { time } = producer
  const impersonated = new Set<string>()
  let everybody = false
  const snapshots = createSnapshots({ chain, pool, producer, clock })

  function setNextTimestamp(timestamp: bigint): void {
    const parent = chain.head().header.timestamp
    if (timestamp <= parent) throw new DevError({ code: 'TIMESTAMP_TOO_LOW', have: timestamp, parent })
    time.setNext(timestamp)
  }

  return {
    async mine({ blocks, timestamp, interval }) {
      if (blocks > maxBlocks) throw new DevError({ code: 'TOO_MANY_BLOCKS', have: blocks, max: maxBlocks })
      if (timestamp !== undefined) setNextTimestamp(timestamp)
      for (let i = 0; i < blocks; i++) {
        if (i > 0 && interval !== undefined && interval > 0n) time.setNext(chain.head().header.timestamp + interval)
        producer.mine()
        if (i % blocksPerTurn === blocksPerTurn - 1) await new Promise(setImmediate)
      }
    },
    setAutomine: producer.setAutomine,
    isAutomine: producer.isAutomine,
    setIntervalMining: producer.setInterval,
    snapshot: snapshots.take,
    revert: snapshots.revert,
    reset() {
      snapshots.revertTo(0n, [])
      snapshots.clear()
      impersonated.clear()
      everybody = false
      producer.reset()
    },
    increaseTime: time.increase,
    setNextTimestamp,
    setNextBaseFee: (baseFee) => producer.setNext({ baseFee }),
    setNextPrevRandao: (prevRandao) => producer.setNext({ prevRandao }),
    edit: (edit) => void producer.mineEdits(edits.add([edit])),
    drop(hash) {
      const known = pool.get(hash) !== undefined
      pool.drop(hash, { code: 'EVICTED' })
      return known
    },
    setImpersonated(address, on) {
      if (on) impersonated.add(keyOf(address))
      else impersonated.delete(keyOf(address))
    },
    setImpersonatedAll(on) {
      everybody = on
    },
    isImpersonated: (address) => everybody || impersonated.has(keyOf(address)),
    send(tx, sender) {
      const sent = impersonate(tx, sender, chain.spec.chainId)
      const fault = pool.add(sent, { local: true, now: clock.now() })
      return fault ? { fault } : { hash: txHash(sent) }
    },
  }
}
