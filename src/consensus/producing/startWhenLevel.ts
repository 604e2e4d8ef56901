import type { Clock } from '../../system/clock.ts'
import type { ValidatorNetwork } from '../validatorNetwork.ts'
import type { Producer } from './producer.ts'

export interface StartParts {
  readonly clock: Clock
  readonly network: Pick<ValidatorNetwork, 'standing'>
  /** Whether the producer must not start before it has met others. */
  readonly mustMeet: () => boolean
}

/** Milliseconds between two looks. */
const lookEvery = 100
/** Milliseconds for which one that claims to be ahead is believed. */
const patience = 5000
/** Messages that are kept meanwhile; each is sent again by those who miss an answer. */
const maxHeld = 4096

type Event = (producer: Producer) => void

/**
 * A producer that does not start before it knows where the others are. A data folder that was set back begins at a head of long ago, and what is
 * said on that would contradict what was said on it then. Nobody is kept waiting: who has no peers has nobody to make blocks with. What comes
 * meanwhile is handed over at the start.
 */
class LateProducer implements Producer {
  private readonly producer: Producer
  private readonly parts: StartParts
  private held: Event[] | undefined
  private cancel = () => {}
  private metAt: number | undefined
  readonly protocols: Producer['protocols']

  constructor(producer: Producer, parts: StartParts) {
    this.producer = producer
    this.parts = parts
    this.protocols = producer.protocols
  }

  private mayStart(): boolean {
    const standing = this.parts.network.standing?.() ?? 'level'
    if (standing === 'alone') return false
    const now = this.parts.clock.now()
    this.metAt ??= now
    return standing === 'level' || Math.abs(now - this.metAt) >= patience
  }

  private readonly look = (): void => {
    if (this.mayStart()) this.begin()
    else this.cancel = this.parts.clock.after(lookEvery, this.look)
  }

  private begin(): void {
    const events = this.held ?? []
    this.held = undefined
    this.producer.start()
    for (const event of events) event(this.producer)
  }

  private pass(event: Event): void {
    if (!this.held) event(this.producer)
    else if (this.held.length < maxHeld) this.held.push(event)
  }

  readonly isRunning = (): boolean => this.held !== undefined || this.producer.isRunning()

  readonly start = (): void => {
    if (this.isRunning()) return
    this.held = []
    this.metAt = undefined
    if (this.parts.mustMeet()) this.look()
    else this.begin()
  }

  readonly stop = (): void => {
    this.cancel()
    this.held = undefined
    this.producer.stop()
  }

  readonly receive: NonNullable<Producer['receive']> = (...args) => this.pass((producer) => producer.receive?.(...args))

  readonly onLink: NonNullable<Producer['onLink']> = (address) => this.pass((producer) => producer.onLink?.(address))

  readonly onUnlink: NonNullable<Producer['onUnlink']> = (address) =>
    this.pass((producer) => producer.onUnlink?.(address))

  readonly roundStatus: NonNullable<Producer['roundStatus']> = () => this.producer.roundStatus?.()

  readonly proposers: NonNullable<Producer['proposers']> = () =>
    this.producer.proposers?.() ?? { silent: [], flaws: [] }
}

export function startWhenLevel(producer: Producer, parts: StartParts): Producer {
  return new LateProducer(producer, parts)
}
