import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { createInbox } from '../../primitives/inbox.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Block } from '../../types/block.ts'
import type { ValidatorNetwork } from '../validatorNetwork.ts'
import type { SignedRecord } from './signedRecord.ts'
import { createTimers, type Due } from './timers.ts'

interface AnyTimer {
  readonly kind: string
}

/** Input of every machine. */
export type MachineEvent<T extends AnyTimer> =
  | { readonly type: 'head'; readonly head: HashedHeader }
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: T }
  | { readonly type: 'link'; readonly address: Address }

/** Output of every machine. */
export type MachineEffect<T extends AnyTimer> =
  | { readonly type: 'persist'; readonly record: Uint8Array }
  | { readonly type: 'timer'; readonly timer: T; readonly due: Due }
  /** Holders are nodes that have all of the block but its seals. */
  | { readonly type: 'import'; readonly block: Block; readonly holders?: readonly Address[] }
  | { readonly type: 'failure'; readonly error: unknown }

/** A pure state machine: it decides, and its driver acts. */
export interface Machine<T extends AnyTimer, X, W = never> {
  handle(event: MachineEvent<T>, now: number): readonly (MachineEffect<T> | X)[]
  /** What takes long of handling this event now, if anything. */
  foresee?(event: MachineEvent<T>, now: number): W | undefined
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
  /** Nothing is signed on a head that was not made after this time, in seconds: what was signed before is not known. */
  readonly signsAfter?: bigint
}

export interface MachineDriverParts<T extends AnyTimer, X, W = never> extends DriverParts {
  /** Creates a machine from the record persisted last. */
  readonly createMachine: (restored: Uint8Array | undefined) => Machine<T, X, W>
  /**
   * Does work beforehand that the machine has foreseen, and calls `done`, whatever came of it: the machine asks for it all the
   * same. If absent, all is done when the machine asks for it.
   */
  readonly workAhead?: ((work: W, done: () => void) => void) | undefined
  /** Performs the effects that only this kind of machine has. */
  readonly perform: (effect: X) => void
  /** Called after each event, when the machine may have another status. */
  readonly observe?: () => void
}

/** Runs a machine on a chain. */
export interface MachineDriver {
  isRunning(): boolean
  start(): void
  stop(): void
  receive(code: number, data: Uint8Array, from: Address | undefined): void
  /** A connection to a node has opened over which validators talk. */
  onLink(address: Address): void
}

/** Milliseconds after which the head is looked at again: while the chain catches up, and after a failure. */
const checkEvery = 500

/**
 * Feeds a machine with heads, messages and timers, one at a time, and performs its effects in order. It does not see
 * heads outside its range of heights, nor heads imported while the node is syncing. While work is done ahead for an event,
 * those after it wait; the machine itself never waits.
 */
export function createMachineDriver<T extends AnyTimer, X extends { readonly type: string }, W = never>(
  parts: MachineDriverParts<T, X, W>,
): MachineDriver {
  const { chain, clock, network, log, record, heights, consensus, perform, workAhead, signsAfter = 0n } = parts
  const timers = createTimers<T>(clock, onTimer)
  const syncCheck = createTimers<AnyTimer>(clock, followHead)
  // Events that occur while effects are performed wait until all effects are performed.
  const inbox = createInbox<MachineEvent<T>>((event) => machine && prepare(machine, event))
  let machine: Machine<T, X, W> | undefined
  let unsubscribe: (() => void) | undefined
  /** What could not be written: nothing that was signed leaves before it is on disk. */
  let unwritten: Uint8Array | undefined

  function isOurs({ header }: HashedHeader): boolean {
    const next = header.number + 1n
    return !isTooOld(header) && next >= heights.from && (heights.to === undefined || next < heights.to)
  }

  const isTooOld = ({ timestamp }: HashedHeader['header']) => timestamp <= signsAfter && signsAfter > 0n

  function tellOfWaiting(): void {
    if (!isTooOld(chain.head().header)) return
    log.warn(
      { after: new Date(Number(signsAfter) * 1000).toISOString() },
      'this database was restored, and what the validator has signed since its backup is not known: it signs nothing until the network has made ' +
        'a block after {after}. If the whole network was restored, stop the nodes and run quoin restore --may-sign on each of them',
    )
  }

  /** Passes the head to the machine as soon as the node is in sync. */
  function followHead(): void {
    syncCheck.clear()
    const head = chain.head()
    if (!isOurs(head)) timers.clear()
    else if (!network.isCatchingUp()) inbox.put({ type: 'head', head })
    else syncCheck.set({ kind: 'sync' }, { after: checkEvery })
  }

  function onTimer(timer: T): void {
    if (!network.isCatchingUp()) inbox.put({ type: 'timer', timer })
    else timers.set(timer, { after: checkEvery })
  }

  function prepare(at: Machine<T, X, W>, event: MachineEvent<T>): void {
    const now = clock.now()
    const work = workAhead && at.foresee?.(event, now)
    if (work === undefined) {
      handle(at, event, now)
      return
    }
    const { hash } = chain.head()
    const release = inbox.hold()
    workAhead!(work, () => {
      if (machine === at) resume(at, event, now, hash)
      release()
    })
  }

  function resume(at: Machine<T, X, W>, event: MachineEvent<T>, now: number, headBefore: Hash32): void {
    const head = chain.head()
    if (equalBytes(head.hash, headBefore)) handle(at, event, now)
    // Another block came meanwhile: the machine gets that first.
    else if (isOurs(head)) inbox.put(event)
  }

  function handle(at: Machine<T, X, W>, event: MachineEvent<T>, now: number): void {
    const effects = at.handle(event, now)
    // Timers first: whatever else fails, the machine is woken again.
    for (const effect of effects) if (isTimer(effect)) timers.set(effect.timer, effect.due)
    try {
      for (const effect of effects) if (!isTimer(effect)) act(effect)
    } catch (error) {
      // What was not sent is lost; what was signed is not, and the machine may say it again.
      unwritten = effects.findLast(isPersist)?.record ?? unwritten
      onFailure(error)
    }
    parts.observe?.()
  }

  function onFailure(error: unknown): void {
    log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'consensus failed')
    // The machine may not have got the head: it gets it again.
    syncCheck.set({ kind: 'sync' }, { after: checkEvery })
  }

  const isTimer = (effect: MachineEffect<T> | X): effect is Extract<MachineEffect<T>, { type: 'timer' }> =>
    effect.type === 'timer'

  const isPersist = (effect: MachineEffect<T> | X): effect is Extract<MachineEffect<T>, { type: 'persist' }> =>
    effect.type === 'persist'

  function isCommon(effect: MachineEffect<T> | X): effect is MachineEffect<T> {
    return effect.type === 'persist' || effect.type === 'import' || effect.type === 'failure'
  }

  function act(effect: MachineEffect<T> | X): void {
    if (isCommon(effect)) {
      if (effect.type === 'failure') {
        onFailure(effect.error)
        return
      }
      if (isPersist(effect)) unwritten = effect.record
    }
    write()
    if (!isCommon(effect)) perform(effect)
    else if (effect.type === 'import') importBlock(effect)
  }

  function write(): void {
    if (!unwritten) return
    record.write(unwritten)
    unwritten = undefined
  }

  function importBlock({ block, holders = [] }: Extract<MachineEffect<T>, { type: 'import' }>): void {
    try {
      chain.importBlock(block)
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      log.warn({ number: Number(block.header.number), reason: error.message }, 'own block is invalid')
      return
    }
    const { header } = block
    network.broadcastBlock({ header, hash: consensus.hash(header), block }, holders)
  }

  return {
    isRunning: () => machine !== undefined,
    start() {
      if (machine) return
      machine = parts.createMachine(record.read())
      unsubscribe = chain.onHead(followHead)
      tellOfWaiting()
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
    onLink(address) {
      // Outside its heights a machine is silent: a record that it could not write must not replace a later one.
      if (machine && isOurs(chain.head())) inbox.put({ type: 'link', address })
    },
  }
}
