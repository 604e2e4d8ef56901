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
  hear(author: Address, round: number): boolean
  /** Notes that a validator is connected again; true if the time of the round in progress starts again with that. */
  reconnect(author: Address): boolean
  /** Enters a round; returns milliseconds that it may last. */
  enter(round: number): number
  /** Milliseconds that the round in progress may last from now on. */
  wait(): number
  /** What becomes of the round in progress when its time is up. */
  expire(): Expiry
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
}

/** A round lasts at most this many times as long as the first, or a minute where that is more. */
const maxFactor = 16
const minCap = 60_000
/** The share of a round's time that its proposer has to appear, once a quorum of others is there. */
const absence = 4
/** How often a validator counts as connected again: nobody can keep rounds short for ever on a slow network. */
const maxReconnections = 4

export function createPacemaker({ rules, address, base }: PacemakerOptions): Pacemaker {
  const { quorum, tolerated, proposerOf } = rules
  const rounds = new Map<string, number>()
  const reconnections = new Map<string, number>()
  const cap = Math.max(maxFactor * base, minCap)
  let current = -1
  /** Rounds that a quorum was in and that made no block: the network may be slower than they lasted. */
  let failures = 0
  /** Rounds in a row that were left because their proposers did not appear. */
  let absences = 0
  /** Whether a quorum was in the round in progress at the same time. */
  let isHeld = false
  let isProposerHere = false

  function count(isIn: (round: number) => boolean): number {
    let found = 0
    for (const round of rounds.values()) if (isIn(round)) found++
    return found
  }

  function look(): void {
    isHeld ||= count((round) => round === current) >= quorum
    isProposerHere ||= (rounds.get(keyOf(proposerOf(current))) ?? -1) >= current
  }

  // Everyone announces a later round before its proposer can speak: one that does not is not there.
  const isAbsent = () => current > 0 && isHeld && !isProposerHere

  function wait(): number {
    // Until a quorum is in a round there is nothing to wait for but the next announcement.
    if (current === 0 || !isHeld) return base
    const full = Math.min(base * 2 ** failures, cap)
    return isAbsent() ? full / absence : full
  }

  /** Learns from a round that made no block. One who is alone waits for nobody. */
  function judge(): void {
    if (!isHeld || quorum === 1) return
    absences = isAbsent() ? absences + 1 : 0
    // More than can be missing: they are only slow.
    if (absences === 0 || absences > tolerated) failures++
  }

  return {
    hear(author, round) {
      const key = keyOf(author)
      if ((rounds.get(key) ?? -1) >= round) return false
      rounds.set(key, round)
      if (current < 0) return false
      const before = wait()
      const wasHeld = isHeld
      look()
      // A later round begins when a quorum is in it, no matter who came first.
      return wait() !== before || (current > 0 && isHeld && !wasHeld)
    },
    reconnect(author) {
      const key = keyOf(author)
      const times = reconnections.get(key) ?? 0
      if (failures === 0 || times >= maxReconnections) return false
      reconnections.set(key, times + 1)
      // What took so long may have been the connection.
      failures = 0
      return isHeld && current > 0
    },
    enter(round) {
      judge()
      current = round
      isHeld = false
      isProposerHere = false
      rounds.set(keyOf(address), round)
      look()
      return wait()
    },
    wait,
    expire: () => (current > 0 && count((round) => round >= current) < quorum ? 'repeat' : 'next'),
    roundOf: (author) => rounds.get(keyOf(author)) ?? -1,
    roundToCatchUp() {
      const ahead = [...rounds.values()].filter((round) => round > Math.max(current, 0))
      // Of one more than may be faulty at least one is honest.
      return ahead.sort((a, b) => b - a)[tolerated]
    },
  }
}
