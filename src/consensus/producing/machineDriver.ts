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

/** What can happen to every machine. */
export type MachineEvent<T extends AnyTimer> =
  | { readonly type: 'head'; readonly head: HashedHeader }
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: T }

/** What every machine may want done. */
export type MachineEffect<T extends AnyTimer> =
  | { readonly type: 'persist'; readonly record: Uint8Array }
  | { readonly type: 'timer'; readonly timer: T; readonly at: number }
  | { readonly type: 'import'; readonly block: Block }

/** A pure machine: it decides, its driver acts. */
export interface Machine<T extends AnyTimer, X> {
  handle(event: MachineEvent<T>, now: number): readonly (MachineEffect<T> | X)[]
}

/** The heights whose blocks a machine makes; `to` is the first that it does not. */
export interface Heights {
  readonly from: bigint
  readonly to: bigint | undefined
}

/** What every driver works with. */
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
  /** A new machine, given what an earlier one had persisted last. */
  readonly createMachine: (restored: Uint8Array | undefined) => Machine<T, X>
  /** Performs what only this kind of machine wants. */
  readonly perform: (effect: X) => void
}

/** A machine at work on a chain. */
export interface MachineDriver {
  isRunning(): boolean
  start(): void
  stop(): void
  receive(code: number, data: Uint8Array, from: Address | undefined): void
}

/** Milliseconds between looks whether the chain has caught up with its peers. */
const syncCheckEvery = 500

/**
 * Feeds a machine with heads, messages and timers, one at a time, and performs what it wants in order. Heads of other
 * machines' heights, and those that pass by while the chain catches up, are kept from it.
 */
export function createMachineDriver<T extends AnyTimer, X extends { readonly type: string }>(
  parts: MachineDriverParts<T, X>,
): MachineDriver {
  const { chain, clock, network, log, record, heights, consensus: engine, perform } = parts
  const timers = createTimers<T>(clock, onTimer)
  const syncCheck = createTimers<AnyTimer>(clock, followHead)
  // What happens while an effect is performed has to wait until those after it are performed too.
  const inbox = createInbox<MachineEvent<T>>((event) => machine && handle(machine, event))
  let machine: Machine<T, X> | undefined
  let unsubscribe: (() => void) | undefined

  function isOurs({ header }: HashedHeader): boolean {
    const next = header.number + 1n
    return next >= heights.from && (heights.to === undefined || next < heights.to)
  }

  /** Shows the machine the head, as soon as the chain is in sync. */
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
      log.warn({ number: Number(block.header.number), reason: error.message }, 'a sealed block was refused')
      return
    }
    const { header } = block
    network.broadcastBlock({ header, hash: engine.hash(header), block })
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
