import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import { createInbox } from '../../primitives/inbox.ts'
import type { Logger } from '../../primitives/logger.ts'
import type { Block } from '../../types/block.ts'
import type { ValidatorNetwork } from '../validatorNetwork.ts'
import type { SignedRecord } from './signedRecord.ts'
import { createTimers } from './timers.ts'

interface AnyTimer {
  readonly kind: string
}

/** Input of every machine. */
export type MachineEvent<T extends AnyTimer> =
  | { readonly type: 'head'; readonly head: HashedHeader }
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: T }

/** Output of every machine. */
export type MachineEffect<T extends AnyTimer> =
  | { readonly type: 'persist'; readonly record: Uint8Array }
  | { readonly type: 'timer'; readonly timer: T; readonly at: number }
  | { readonly type: 'import'; readonly block: Block }

/** A pure state machine: it decides, and its driver acts. */
export interface Machine<T extends AnyTimer, X> {
  handle(event: MachineEvent<T>, now: number): readonly (MachineEffect<T> | X)[]
}

/** Range of heights whose blocks a machine makes; `to` is exclusive. */
export interface Heights {
  readonly from: bigint
  readonly to: bigint | undefined
}

/** What every driver needs. */
export interface DriverParts {
  readonly chain: Chain
  readonly consensus: Pick<ConsensusEngine, 'hash'>
  readonly clock: Clock
  readonly network: ValidatorNetwork
  readonly log: Logger
  readonly record: SignedRecord
  readonly heights: Heights
}

export interface MachineDriverParts<T extends AnyTimer, X> extends DriverParts {
  /** Creates a machine from the record persisted last. */
  readonly createMachine: (restored: Uint8Array | undefined) => Machine<T, X>
  /** Performs the effects that only this kind of machine has. */
  readonly perform: (effect: X) => void
}

/** Runs a machine on a chain. */
export interface MachineDriver {
  isRunning(): boolean
  start(): void
  stop(): void
  receive(code: number, data: Uint8Array, from: Address | undefined): void
}

/** Milliseconds between checks whether the node is in sync. */
const syncCheckEvery = 500

/**
 * Feeds a machine with heads, messages and timers, one at a time, and performs its effects in order. It does not see
 * heads outside its range of heights, nor heads imported while the node is syncing.
 */
export function createMachineDriver<T extends AnyTimer, X extends { readonly type: string }>(
  parts: MachineDriverParts<T, X>,
): MachineDriver {
  const { chain, clock, network, log, record, heights, consensus, perform } = parts
  const timers = createTimers<T>(clock, onTimer)
  const syncCheck = createTimers<AnyTimer>(clock, followHead)
  // Events that occur while effects are performed wait until all effects are performed.
  const inbox = createInbox<MachineEvent<T>>((event) => machine && handle(machine, event))
  let machine: Machine<T, X> | undefined
  let unsubscribe: (() => void) | undefined

  function isOurs({ header }: HashedHeader): boolean {
    const next = header.number + 1n
    return next >= heights.from && (heights.to === undefined || next < heights.to)
  }

  /** Passes the head to the machine as soon as the node is in sync. */
  function followHead(): void {
    syncCheck.clear()
    const head = chain.head()
    if (!isOurs(head)) timers.clear()
    else if (network.isInSync()) inbox.put({ type: 'head', head })
    else syncCheck.set({ kind: 'sync' }, clock.now() + syncCheckEvery)
  }

  function onTimer(timer: T): void {
    if (network.isInSync()) inbox.put({ type: 'timer', timer })
    else timers.set(timer, clock.now() + syncCheckEvery)
  }

  function handle(at: Machine<T, X>, event: MachineEvent<T>): void {
    try {
      for (const effect of at.handle(event, clock.now())) act(effect)
    } catch (error) {
      log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'consensus failed')
    }
  }

  function isCommon(effect: MachineEffect<T> | X): effect is MachineEffect<T> {
    return effect.type === 'persist' || effect.type === 'timer' || effect.type === 'import'
  }

  function act(effect: MachineEffect<T> | X): void {
    if (!isCommon(effect)) perform(effect)
    else if (effect.type === 'persist') record.write(effect.record)
    else if (effect.type === 'timer') timers.set(effect.timer, effect.at)
    else importBlock(effect.block)
  }

  function importBlock(block: Block): void {
    try {
      chain.importBlock(block)
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      log.warn({ number: Number(block.header.number), reason: error.message }, 'own block is invalid')
      return
    }
    const { header } = block
    network.broadcastBlock({ header, hash: consensus.hash(header), block })
  }

  return {
    isRunning: () => machine !== undefined,
    start() {
      if (machine) return
      machine = parts.createMachine(record.read())
      unsubscribe = chain.onHead(followHead)
      followHead()
    },
    stop() {
      machine = undefined
      unsubscribe?.()
      unsubscribe = undefined
      timers.clear()
      syncCheck.clear()
      inbox.clear()
    },
    receive(code, data, from) {
      if (machine && isOurs(chain.head())) inbox.put({ type: 'message', code, data, from })
    },
  }
}
