import { type Address, keyOf } from '../../primitives/bytes.ts'

/**
 * What a validator remembers, from block to block, of how others take their turns. It says for how long the proposer of a round is waited
 * for before the round is left; it never says that somebody may not propose. Nothing here is signed, sent or stored.
 */
export interface Attendance {
  /** A height begins: these take part in it, this validator among them. */
  begin(height: bigint, validators: readonly Address[]): void
  /** The height in progress is decided. */
  end(): void
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
  /** Milliseconds for which a proposer is waited for; undefined where it has all of the round's time. */
  patience(who: Address, grace: number): number | undefined
}

/** Makes the attendance of one validator; tests may pass others. */
export type CreateAttendance = (options: AttendanceOptions) => Attendance

export interface AttendanceOptions {
  readonly address: Address
  readonly quorumOf: (validators: number) => number
  /** Milliseconds of the first round. */
  readonly base: number
}

/** Blocks in a row without a word after which a validator counts as silent. */
const silentAfter = 2
/** Turns in a row that a proposer makes before all of a round's time is its own again. */
const trustedAfter = 16
/** One in so many of its turns a proposer that lives has all of the time, whatever came of those before. */
const trialEvery = 32n

/** What is known of one validator. */
interface Mark {
  /** The last height for which it spoke. */
  heard: bigint
  /** Decided blocks in a row about which it said nothing. */
  silence: number
  /** Turns made since one was missed. */
  made: number
  /** Milliseconds after which its last proposal came. */
  delay: number | undefined
  /** Whether its last turn was missed. */
  hasMissed: boolean
  /** That turn, until its proposal has come after all. */
  missed: { readonly height: bigint; readonly since: number } | undefined
  /** Whether it has shown any life since its last turn. */
  isAlive: boolean
  /** Whether this node was ever connected to it: then even words that come late are seen. */
  wasLinked: boolean
  /** The height at which the connection to it closed, if nothing of a later one has come: others may still pass on what it said before. */
  goneAt: bigint | undefined
}

function newMark(height: bigint): Mark {
  return {
    heard: height - 1n,
    silence: 0,
    made: trustedAfter,
    delay: undefined,
    hasMissed: false,
    missed: undefined,
    isAlive: false,
    wasLinked: false,
    goneAt: undefined,
  }
}

class TurnMemory implements Attendance {
  private readonly options: AttendanceOptions
  private readonly self: string
  private marks = new Map<string, Mark>()
  private readonly linked = new Set<string>()
  private height = 0n
  private quorum = 1

  constructor(options: AttendanceOptions) {
    this.options = options
    this.self = keyOf(options.address)
  }

  private markOf(who: Address): Mark | undefined {
    return this.marks.get(keyOf(who))
  }

  /** How many may be missing. */
  private spare(): number {
    return this.marks.size + 1 - this.quorum
  }

  readonly begin: Attendance['begin'] = (height, validators) => {
    this.height = height
    this.quorum = this.options.quorumOf(validators.length)
    const others = validators.map(keyOf).filter((key) => key !== this.self)
    this.marks = new Map(others.map((key) => [key, this.marks.get(key) ?? newMark(height)]))
    for (const key of this.linked) this.noteLink(key)
  }

  readonly end: Attendance['end'] = () => {
    const marks = [...this.marks.values()]
    const speakers = marks.filter(({ heard }) => heard >= this.height).length + 1
    // Who has not even heard a quorum was away itself, and knows nothing of others.
    if (speakers < this.quorum) return
    for (const mark of marks) mark.silence = mark.heard >= this.height ? 0 : mark.silence + 1
  }

  readonly hear: Attendance['hear'] = (who, height) => {
    const mark = this.markOf(who)
    if (!mark) return
    mark.isAlive = true
    if (mark.goneAt !== undefined && height > mark.goneAt) mark.goneAt = undefined
    if (height <= mark.heard) return
    mark.heard = height
    // Its word may come after the block, which needs only a quorum.
    const behind = this.height - 1n - height
    mark.silence = Math.min(mark.silence, Math.max(0, Number(behind)))
  }

  private noteLink(key: string): void {
    const mark = this.marks.get(key)
    if (!mark) return
    mark.wasLinked = true
    mark.goneAt = undefined
  }

  readonly link: Attendance['link'] = (who) => {
    this.linked.add(keyOf(who))
    this.noteLink(keyOf(who))
  }

  readonly unlink: Attendance['unlink'] = (who) => {
    this.linked.delete(keyOf(who))
    const mark = this.markOf(who)
    if (mark) mark.goneAt = this.height
  }

  /** The delay that others' proposals have, by which a late one is told from one that does not come. */
  private usualDelay(but: Mark): number {
    const delays = [...this.marks.values()].flatMap((mark) => (mark === but ? [] : (mark.delay ?? [])))
    return delays.sort((a, b) => a - b)[(delays.length - 1) >> 1] ?? 0
  }

  readonly made: Attendance['made'] = (who, delay) => {
    const mark = this.markOf(who)
    if (!mark) return false
    const isBack = mark.hasMissed
    mark.made++
    mark.missed = undefined
    mark.isAlive = true
    mark.hasMissed = false
    if (delay !== undefined) mark.delay = Math.max(0, delay)
    return isBack
  }

  readonly missed: Attendance['missed'] = (who, since) => {
    const mark = this.markOf(who)
    if (!mark) return
    mark.made = 0
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

  /** The same heights for all: one validator that waits alone waits for nothing. */
  private isTrial(): boolean {
    return (this.height / BigInt(this.marks.size + 1)) % trialEvery === 0n
  }

  /** Those that this validator has lost the connection to; if they are more than can be missing, it is this one that is cut off. */
  private isGone({ goneAt }: Mark): boolean {
    const gone = [...this.marks.values()].filter((mark) => mark.goneAt !== undefined).length
    return goneAt !== undefined && gone <= this.spare()
  }

  readonly patience: Attendance['patience'] = (who, grace) => {
    const mark = this.markOf(who)
    if (!mark || (mark.isAlive && this.isTrial())) return undefined
    const delay = mark.delay ?? 0
    const least = this.usualDelay(mark) + grace
    const isSilent = mark.wasLinked && mark.silence >= silentAfter
    if (this.isGone(mark) || (isSilent && (mark.hasMissed || delay > least))) return least
    if (mark.made >= trustedAfter) return undefined
    return Math.max(least, 2 * delay + grace, (this.options.base * mark.made) / trustedAfter)
  }
}

/** Everybody is trusted at first. */
export const createAttendance: CreateAttendance = (options) => new TurnMemory(options)
