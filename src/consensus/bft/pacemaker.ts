import { type Address, keyOf } from '../../primitives/bytes.ts'
import type { MessageRules } from './messageRules.ts'

/** What a round does whose time is up. */
export type Expiry = 'next' | 'repeat'

/**
 * Decides how long a round lasts and whether the next one may begin, so that validators stay within a round of each
 * other however long a quorum is missing: a round that was never reached by a quorum is not left, it is announced again.
 * After an outage all that is needed for the next block is then one exchange of messages.
 */
export interface Pacemaker {
  /** Notes that a validator is in a round; true if the time of the round in progress starts again with that. */
  noteRound(author: Address, round: number): boolean
  /** Notes that a validator is connected again; true if the time of the round in progress starts again with that. */
  reconnect(author: Address): boolean
  /** Enters a round; returns milliseconds that it may last. */
  enter(round: number): number
  /** Milliseconds that the round in progress may last from now on. */
  wait(): number
  /** What becomes of the round in progress when its time is up. */
  expire(): Expiry
  /** Whether the proposer of the round in progress has said nothing, although it could. */
  isSilent(): boolean
  /** Whether a quorum was in the round in progress at the same time. */
  isTogether(): boolean
  /** Whether more than may be faulty have voted in the round in progress: it has a proposal, then. */
  isUnderWay(): boolean
  /** The round that a validator is known to be in; −1 if nothing of it has come at this height. */
  roundOf(author: Address): number
  /** The latest round, after the one in progress, that an honest validator is known to be in. */
  roundToCatchUp(): number | undefined
}

export interface PacemakerOptions {
  readonly rules: Pick<MessageRules, 'quorum' | 'tolerated' | 'proposerOf'>
  readonly address: Address
  /** Milliseconds that the first round may take. */
  readonly base: number
  /** Milliseconds for which the proposer of a round is waited for that has not appeared; undefined where it has the usual time. */
  readonly patience?: (round: number) => number | undefined
}

/** A round lasts at most this many times as long as the first, or a minute where that is more. */
const maxFactor = 16
const minCap = 60_000
/** The share of a round's time that its proposer has to appear, once a quorum of others is there. */
const absence = 4
/** How often a validator counts as connected again: nobody can keep rounds short forever on a slow network. */
const maxReconnections = 4

/** The rounds that validators were last known to be in, and how long the next one may last. */
class RoundPacemaker implements Pacemaker {
  private readonly options: PacemakerOptions
  private readonly quorum: number
  private readonly tolerated: number
  private readonly proposerOf: MessageRules['proposerOf']
  private readonly rounds = new Map<string, number>()
  private readonly reconnections = new Map<string, number>()
  private readonly cap: number
  private current = -1
  /** Rounds that a quorum was in and that made no block: the network may be slower than they lasted. */
  private failures = 0
  /** Rounds in a row that were left because their proposers did not appear. */
  private absences = 0
  /** Whether a quorum was in the round in progress at the same time. */
  private isHeld = false
  private isProposerHere = false

  constructor(options: PacemakerOptions) {
    this.options = options
    const { quorum, tolerated, proposerOf } = options.rules
    this.quorum = quorum
    this.tolerated = tolerated
    this.proposerOf = proposerOf
    this.cap = Math.max(maxFactor * options.base, minCap)
  }

  private count(isIn: (round: number) => boolean): number {
    let found = 0
    for (const round of this.rounds.values()) if (isIn(round)) found++
    return found
  }

  private look(): void {
    this.isHeld ||= this.count((round) => round === this.current) >= this.quorum
    this.isProposerHere ||= (this.rounds.get(keyOf(this.proposerOf(this.current))) ?? -1) >= this.current
  }

  // Everyone announces a later round before its proposer can speak: one that does not is not there.
  private isAbsent() {
    return this.current > 0 && this.isHeld && !this.isProposerHere
  }

  readonly wait = (): number => {
    // Until a quorum is in a round there is nothing to wait for but the next announcement.
    if (this.current === 0 || !this.isHeld) return this.options.base
    const full = Math.min(this.options.base * 2 ** this.failures, this.cap)
    if (!this.isAbsent()) return full
    return Math.min(full / absence, this.options.patience?.(this.current) ?? Number.POSITIVE_INFINITY)
  }

  /** Learns from a round that made no block. One who is alone waits for nobody. */
  private judge(): void {
    if (!this.isHeld || this.quorum === 1) return
    this.absences = this.isAbsent() ? this.absences + 1 : 0
    // More than can be missing: they are only slow.
    if (this.absences === 0 || this.absences > this.tolerated) this.failures++
  }

  readonly noteRound: Pacemaker['noteRound'] = (author, round) => {
    const key = keyOf(author)
    if ((this.rounds.get(key) ?? -1) >= round) return false
    this.rounds.set(key, round)
    if (this.current < 0) return false
    const before = this.wait()
    const wasHeld = this.isHeld
    this.look()
    // A later round begins when a quorum is in it, no matter who came first.
    return this.wait() !== before || (this.current > 0 && this.isHeld && !wasHeld)
  }

  readonly reconnect: Pacemaker['reconnect'] = (author) => {
    const key = keyOf(author)
    const times = this.reconnections.get(key) ?? 0
    if (this.failures === 0 || times >= maxReconnections) return false
    this.reconnections.set(key, times + 1)
    // What took so long may have been the connection.
    this.failures = 0
    return this.isHeld && this.current > 0
  }

  readonly enter: Pacemaker['enter'] = (round) => {
    this.judge()
    this.current = round
    this.isHeld = false
    this.isProposerHere = false
    this.rounds.set(keyOf(this.options.address), round)
    this.look()
    return this.wait()
  }

  readonly expire: Pacemaker['expire'] = () =>
    this.current > 0 && this.count((round) => round >= this.current) < this.quorum ? 'repeat' : 'next'

  readonly isSilent: Pacemaker['isSilent'] = () => this.current === 0 || this.isAbsent()

  readonly isTogether: Pacemaker['isTogether'] = () => this.isHeld

  // One of them is this validator itself.
  readonly isUnderWay: Pacemaker['isUnderWay'] = () =>
    this.count((round) => round === this.current) - 1 > this.tolerated

  readonly roundOf: Pacemaker['roundOf'] = (author) => this.rounds.get(keyOf(author)) ?? -1

  readonly roundToCatchUp: Pacemaker['roundToCatchUp'] = () => {
    const ahead = [...this.rounds.values()].filter((round) => round > Math.max(this.current, 0))
    // Of one more than may be faulty at least one is honest.
    return ahead.sort((a, b) => b - a)[this.tolerated]
  }
}

export function createPacemaker(options: PacemakerOptions): Pacemaker {
  return new RoundPacemaker(options)
}
