import { type Address, keyOf } from '../../primitives/bytes.ts'

/**
 * What a validator remembers, from block to block, of how others take their turns. It says for how long the proposer of a round is waited
 * for before the round is left; it never says that somebody may not propose. Nothing here is signed, sent or stored.
 */
export interface Attendance {
  /** A height begins: these take part in it, this validator among them. */
  begin(height: bigint, validators: readonly Address[]): void
  /** A validator has signed something for a height, or has passed on what others have. */
  hear(who: Address, height: bigint): void
  link(who: Address): void
  unlink(who: Address): void
  /**
   * A proposal came in its round, this many milliseconds after it was due, or undefined where that is not known; true if its author
   * had missed its last turn.
   */
  made(who: Address, delay: number | undefined): boolean
  /** A round was left, and nothing of its proposer had come since this time. */
  missed(who: Address, since: number): void
  /** Whether a proposal of a height may come that was missed. */
  hasMissed(height: bigint): boolean
  /** A proposal came whose round was left. */
  late(who: Address, height: bigint, now: number): void
  /** This validator has left a round because of a proposer, and a quorum came after it: soon, or only after a long time. */
  followed(isSoon: boolean): void
  /** Milliseconds for which a proposer is waited for; undefined where it has all of the round's time. */
  patience(who: Address, terms: PatienceTerms): number | undefined
}

export interface PatienceTerms {
  /** Milliseconds that a proposer has at least, beyond what others need. */
  readonly grace: number
  /** Milliseconds from block to block. */
  readonly period: number
}

/** Makes the attendance of one validator; tests may pass others. */
export type CreateAttendance = (options: AttendanceOptions) => Attendance

export interface AttendanceOptions {
  readonly address: Address
  readonly quorumOf: (validators: number) => number
  /** Milliseconds of the first round. */
  readonly base: number
}

/** Turns in a row that a proposer makes before all of a round's time is its own again. */
const trustedAfter = 16
/** One in so many of its turns a proposer that lives has all of the time, whatever came of those before. */
const trialEvery = 32
/** How often this many blocks double, for which a validator that nobody follows does not try it again. */
const maxLone = 5

/** What is known of one validator. */
interface Mark {
  /** Turns made since one was missed. */
  made: number
  /** Milliseconds after which the proposal of its last turn came, in its round or later; undefined if none did. */
  delay: number | undefined
  /** Its last turn, if that was missed and its proposal has not come yet. */
  missed: { readonly height: bigint; readonly since: number } | undefined
  /** Whether its last turn was missed. */
  hasMissed: boolean
  /** Whether it has shown any life since. */
  isAlive: boolean
  /** The height at which the connection to it closed, if nothing of a later one has come: others may still pass on what it said before. */
  goneAt: bigint | undefined
}

const newMark = (): Mark => ({
  made: trustedAfter,
  delay: undefined,
  missed: undefined,
  hasMissed: false,
  isAlive: false,
  goneAt: undefined,
})

class TurnMemory implements Attendance {
  private readonly options: AttendanceOptions
  private readonly self: string
  private marks = new Map<string, Mark>()
  private height = 0n
  /** How often in a row no quorum followed soon, and the height up to which everybody has all of the time because of that. */
  private lone = 0
  private loneUntil = 0n

  constructor(options: AttendanceOptions) {
    this.options = options
    this.self = keyOf(options.address)
  }

  private markOf(who: Address): Mark | undefined {
    return this.marks.get(keyOf(who))
  }

  private validators(): number {
    return this.marks.size + 1
  }

  readonly begin: Attendance['begin'] = (height, validators) => {
    this.height = height
    const others = validators.map(keyOf).filter((key) => key !== this.self)
    this.marks = new Map(others.map((key) => [key, this.marks.get(key) ?? newMark()]))
  }

  readonly hear: Attendance['hear'] = (who, height) => {
    const mark = this.markOf(who)
    if (!mark) return
    mark.isAlive = true
    if (mark.goneAt !== undefined && height > mark.goneAt) mark.goneAt = undefined
  }

  readonly link: Attendance['link'] = (who) => {
    const mark = this.markOf(who)
    if (mark) mark.goneAt = undefined
  }

  readonly unlink: Attendance['unlink'] = (who) => {
    const mark = this.markOf(who)
    if (mark) mark.goneAt = this.height
  }

  readonly made: Attendance['made'] = (who, delay) => {
    const mark = this.markOf(who)
    if (!mark) return false
    const isBack = mark.hasMissed
    mark.made++
    mark.missed = undefined
    mark.hasMissed = false
    mark.isAlive = true
    if (delay !== undefined) mark.delay = Math.max(0, delay)
    return isBack
  }

  readonly missed: Attendance['missed'] = (who, since) => {
    const mark = this.markOf(who)
    if (!mark) return
    mark.made = 0
    mark.delay = undefined
    mark.missed = { height: this.height, since }
    mark.hasMissed = true
    mark.isAlive = false
  }

  readonly hasMissed: Attendance['hasMissed'] = (height) =>
    [...this.marks.values()].some(({ missed }) => missed?.height === height)

  readonly late: Attendance['late'] = (who, height, now) => {
    const mark = this.markOf(who)
    if (mark?.missed?.height !== height) return
    mark.delay = Math.max(0, now - mark.missed.since)
    mark.missed = undefined
    mark.isAlive = true
  }

  // As others may follow some day, it is tried again, but less and less often.
  readonly followed: Attendance['followed'] = (isSoon) => {
    if (!isSoon) this.loneUntil = this.height + BigInt(trialEvery * this.validators() * 2 ** this.lone)
    this.lone = isSoon ? 0 : Math.min(this.lone + 1, maxLone)
  }

  /** The same heights for all: one validator that waits alone waits for nothing. */
  private isTrial(): boolean {
    return (this.height / BigInt(this.validators())) % BigInt(trialEvery) === 0n
  }

  /** One that this validator has lost the connection to; if those are more than can be missing, it is this one that is cut off. */
  private isGone({ goneAt }: Mark): boolean {
    const gone = [...this.marks.values()].filter((mark) => mark.goneAt !== undefined).length
    return goneAt !== undefined && gone <= this.validators() - this.options.quorumOf(this.validators())
  }

  /** The delay that others' proposals have, by which a late one is told from one that does not come. */
  private usualDelay(but: Mark): number {
    const delays = [...this.marks.values()].flatMap((mark) => (mark === but ? [] : (mark.delay ?? [])))
    return delays.sort((a, b) => a - b)[(delays.length - 1) >> 1] ?? 0
  }

  readonly patience: Attendance['patience'] = (who, { grace, period }) => {
    const mark = this.markOf(who)
    if (!mark || this.height <= this.loneUntil) return undefined
    const { made, delay = 0, isAlive } = mark
    const least = this.usualDelay(mark) + grace
    if (this.isGone(mark)) return least
    if (isAlive && this.isTrial()) return undefined
    if (delay > least + period) return least
    if (made >= trustedAfter) return undefined
    return Math.max(least, 2 * delay + grace, (this.options.base * made) / trustedAfter)
  }
}

/** Everybody is trusted at first. */
export const createAttendance: CreateAttendance = (options) => new TurnMemory(options)
