import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import type { NodeKey, ToSign } from '../../keys/nodeIdentity.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { createInbox } from '../../primitives/inbox.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Block } from '../../types/block.ts'
import type { ValidatorNetwork } from '../validatorNetwork.ts'
import { warnOfWaiting } from './restoredMark.ts'
import type { SignedRecord } from './signedRecord.ts'
import { createSignRequests, type SignRequests } from './signRequests.ts'
import { createSilenceLog } from './silenceLog.ts'
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
  | { readonly type: 'unlink'; readonly address: Address }
  | { readonly type: 'signed'; readonly id: number; readonly signature: Uint8Array }

/** Output of every machine. */
export type MachineEffect<T extends AnyTimer> =
  | { readonly type: 'persist'; readonly record: Uint8Array }
  /** Only where the key is elsewhere. */
  | { readonly type: 'sign'; readonly id: number; readonly what: ToSign }
  | { readonly type: 'timer'; readonly timer: T; readonly due: Due }
  /** Holders are nodes that have all of the block but its seals. */
  | { readonly type: 'import'; readonly block: Block; readonly holders?: readonly Address[] }
  /** The key has signed a block that this process knows nothing of: nothing is signed up to a height. */
  | { readonly type: 'silence'; readonly upTo: bigint; readonly because: bigint }
  | { readonly type: 'failure'; readonly error: unknown }

/** A pure state machine: it decides, and its driver acts. */
export interface Machine<T extends AnyTimer, X, W = never> {
  handle(event: MachineEvent<T>, now: number): readonly (MachineEffect<T> | X)[]
  /** What takes long of handling this event now, if anything. */
  foresee?(event: MachineEvent<T>, now: number): W | undefined
  /** Whether a signature that was asked for would still be used; only machines that ask for some. */
  awaits?(id: number): boolean
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
  readonly key: NodeKey
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
  /** The last such connection to a node has closed. */
  onUnlink(address: Address): void
}

/** Milliseconds after which the head is looked at again: while the chain catches up, and after a failure. */
const checkEvery = 500

/** A machine that is given heads, messages and time, and whose effects are performed in order. */
class DrivenMachine<T extends AnyTimer, X extends { readonly type: string }, W = never> implements MachineDriver {
  private readonly parts: MachineDriverParts<T, X, W>
  private readonly chain: Chain
  private readonly network: ValidatorNetwork
  private readonly log: Logger
  private readonly heights: Heights
  private readonly signsAfter: bigint
  private readonly timers: ReturnType<typeof createTimers<T>>
  private readonly syncCheck: ReturnType<typeof createTimers<AnyTimer>>
  // Events that occur while effects are performed wait until all effects are performed.
  private readonly inbox: ReturnType<typeof createInbox<MachineEvent<T>>>
  private readonly requests: SignRequests
  private readonly warnOfSilence: ReturnType<typeof createSilenceLog>
  private machine: Machine<T, X, W> | undefined
  private unsubscribe: (() => void) | undefined
  /** What could not be written: nothing that was signed leaves before it is on disk. */
  private unwritten: Uint8Array | undefined

  constructor(parts: MachineDriverParts<T, X, W>) {
    this.parts = parts
    const { chain, clock, network, log, heights, signsAfter = 0n } = parts
    this.chain = chain
    this.network = network
    this.log = log
    this.heights = heights
    this.signsAfter = signsAfter
    this.timers = createTimers<T>(clock, this.onTimer)
    this.syncCheck = createTimers<AnyTimer>(clock, this.followHead)
    this.warnOfSilence = createSilenceLog(log, clock)
    this.inbox = createInbox<MachineEvent<T>>((event) => this.machine && this.prepare(this.machine, event))
    this.requests = createSignRequests({
      ...parts,
      isWanted: (id) => this.machine?.awaits?.(id) ?? false,
      onSigned: (id, signature) => this.inbox.put({ type: 'signed', id, signature }),
    })
  }

  private isOurs({ header }: HashedHeader): boolean {
    const next = header.number + 1n
    return (
      !this.isTooOld(header) && next >= this.heights.from && (this.heights.to === undefined || next < this.heights.to)
    )
  }

  private isTooOld({ timestamp }: HashedHeader['header']) {
    return timestamp <= this.signsAfter && this.signsAfter > 0n
  }

  /** Passes the head to the machine as soon as the node is in sync. */
  private readonly followHead = (): void => {
    this.syncCheck.clear()
    const head = this.chain.head()
    if (!this.isOurs(head)) this.timers.clear()
    else if (!this.network.isCatchingUp()) this.inbox.put({ type: 'head', head })
    else this.syncCheck.set({ kind: 'sync' }, { after: checkEvery })
  }

  private readonly onTimer = (timer: T): void => {
    if (!this.network.isCatchingUp()) this.inbox.put({ type: 'timer', timer })
    else this.timers.set(timer, { after: checkEvery })
  }

  private prepare(at: Machine<T, X, W>, event: MachineEvent<T>): void {
    const now = this.parts.clock.now()
    const work = this.parts.workAhead && at.foresee?.(event, now)
    if (work === undefined) {
      this.handle(at, event, now)
      return
    }
    const { hash } = this.chain.head()
    const release = this.inbox.hold()
    this.parts.workAhead!(work, () => {
      if (this.machine === at) this.resume(at, event, now, hash)
      release()
    })
  }

  private resume(at: Machine<T, X, W>, event: MachineEvent<T>, now: number, headBefore: Hash32): void {
    const head = this.chain.head()
    if (equalBytes(head.hash, headBefore)) this.handle(at, event, now)
    // Another block came meanwhile: the machine gets that first.
    else if (this.isOurs(head)) this.inbox.put(event)
  }

  private handle(at: Machine<T, X, W>, event: MachineEvent<T>, now: number): void {
    const effects = at.handle(event, now)
    // Timers first: whatever else fails, the machine is woken again.
    for (const effect of effects) if (this.isTimer(effect)) this.timers.set(effect.timer, effect.due)
    try {
      for (const effect of effects) if (!this.isTimer(effect)) this.act(effect)
    } catch (error) {
      // What was not sent is lost; what was signed is not, and the machine may say it again.
      this.unwritten = effects.findLast(this.isPersist)?.record ?? this.unwritten
      this.onFailure(error)
    }
    this.parts.observe?.()
  }

  private onFailure(error: unknown): void {
    this.log.error(
      { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'consensus failed',
    )
    // The machine may not have got the head: it gets it again.
    this.syncCheck.set({ kind: 'sync' }, { after: checkEvery })
  }

  private isTimer(effect: MachineEffect<T> | X): effect is Extract<MachineEffect<T>, { type: 'timer' }> {
    return effect.type === 'timer'
  }

  private readonly isPersist = (
    effect: MachineEffect<T> | X,
  ): effect is Extract<MachineEffect<T>, { type: 'persist' }> => effect.type === 'persist'

  private isCommon(effect: MachineEffect<T> | X): effect is MachineEffect<T> {
    return ['persist', 'sign', 'import', 'silence', 'failure'].includes(effect.type)
  }

  private act(effect: MachineEffect<T> | X): void {
    if (this.isCommon(effect)) {
      if (this.actAtOnce(effect)) return
      if (this.isPersist(effect)) this.unwritten = effect.record
    }
    this.write()
    if (!this.isCommon(effect)) this.parts.perform(effect)
    else if (effect.type === 'import') this.importBlock(effect)
  }

  /** Performs what need not wait for the record; returns whether it was that. */
  private actAtOnce(effect: MachineEffect<T>): boolean {
    if (effect.type === 'failure') this.onFailure(effect.error)
    else if (effect.type === 'sign') this.requests.ask(effect.id, effect.what)
    else if (effect.type === 'silence') this.warnOfSilence(effect)
    else return false
    return true
  }

  private write(): void {
    if (!this.unwritten) return
    this.parts.record.write(this.unwritten)
    this.unwritten = undefined
  }

  private importBlock({ block, holders = [] }: Extract<MachineEffect<T>, { type: 'import' }>): void {
    try {
      this.chain.importBlock(block)
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      this.log.warn({ number: Number(block.header.number), reason: error.message }, 'own block is invalid')
      return
    }
    const { header } = block
    this.network.broadcastBlock({ header, hash: this.parts.consensus.hash(header), block }, holders)
  }

  readonly isRunning: MachineDriver['isRunning'] = () => this.machine !== undefined

  readonly start: MachineDriver['start'] = () => {
    if (this.machine) return
    this.machine = this.parts.createMachine(this.parts.record.read())
    this.unsubscribe = this.chain.onHead(this.followHead)
    if (this.isTooOld(this.chain.head().header)) warnOfWaiting(this.log, this.signsAfter)
    this.followHead()
  }

  readonly stop: MachineDriver['stop'] = () => {
    this.machine = undefined
    this.unsubscribe?.()
    this.unsubscribe = undefined
    this.timers.clear()
    this.syncCheck.clear()
    this.inbox.clear()
  }

  readonly receive: MachineDriver['receive'] = (code, data, from) => {
    if (this.machine && this.isOurs(this.chain.head())) this.inbox.put({ type: 'message', code, data, from })
  }

  readonly onLink: MachineDriver['onLink'] = (address) => {
    // Outside its heights a machine is silent: a record that it could not write must not replace a later one.
    if (this.machine && this.isOurs(this.chain.head())) this.inbox.put({ type: 'link', address })
  }

  readonly onUnlink: MachineDriver['onUnlink'] = (address) => {
    if (this.machine && this.isOurs(this.chain.head())) this.inbox.put({ type: 'unlink', address })
  }
}

/**
 * Feeds a machine with heads, messages and timers, one at a time, and performs its effects in order. It does not see
 * heads outside its range of heights, nor heads imported while the node is syncing. While work is done ahead for an event,
 * those after it wait; the machine itself never waits.
 */
export function createMachineDriver<T extends AnyTimer, X extends { readonly type: string }, W = never>(
  parts: MachineDriverParts<T, X, W>,
): MachineDriver {
  return new DrivenMachine<T, X, W>(parts)
}
