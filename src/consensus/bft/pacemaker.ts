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
  /** Notes that a validator is in a round; true if that changes how long the round in progress may last. */
  hear(author: Address, round: number): boolean
  /** Enters a round; returns milliseconds that it may last. */
  enter(round: number): number
  /** Milliseconds that the round in progress may last from now on. */
  wait(): number
  /** What becomes of the round in progress when its time is up. */
  expire(): Expiry
}

export interface PacemakerOptions {
  readonly rules: Pick<MessageRules, 'quorum' | 'proposerOf'>
  readonly address: Address
  /** Milliseconds that the first round may take. */
  readonly base: number
}

/** A round lasts at most this many times as long as the first, or a minute where that is more. */
const maxFactor = 16
const minCap = 60_000
/** The share of a round's time that its proposer has to appear, once a quorum of others is there. */
const absence = 4

export function createPacemaker({ rules, address, base }: PacemakerOptions): Pacemaker {
  const { quorum, proposerOf } = rules
  const rounds = new Map<string, number>()
  const cap = Math.max(maxFactor * base, minCap)
  let current = -1
  /** Rounds that a quorum was in and that made no block: the network may be slower than they lasted. */
  let failures = 0
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

  function wait(): number {
    const full = Math.min(base * 2 ** failures, cap)
    // Everyone announces a later round before its proposer can speak: one that does not is not there.
    return current > 0 && isHeld && !isProposerHere ? full / absence : full
  }

  return {
    hear(author, round) {
      const key = keyOf(author)
      if ((rounds.get(key) ?? -1) >= round) return false
      rounds.set(key, round)
      if (current < 0) return false
      const before = wait()
      look()
      return wait() !== before
    },
    enter(round) {
      // Of a first round that fails nobody may have heard anything.
      if (isHeld || current === 0) failures++
      current = round
      isHeld = false
      isProposerHere = false
      rounds.set(keyOf(address), round)
      look()
      return wait()
    },
    wait,
    expire() {
      if (current > 0 && count((round) => round >= current) < quorum) {
        failures = 0
        return 'repeat'
      }
      return 'next'
    },
  }
}
