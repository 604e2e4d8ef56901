import { setTimeout } from 'node:timers/promises'
import type { Hash32 } from '../primitives/bytes.ts'
import type { ExpectedPeriod } from '../reporting/expectedPeriod.ts'
import type { Header } from '../types/header.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'

/** Seconds by which a block may come after its timestamp, and before it. */
const maxLate = 5
const maxEarly = 2
/** Milliseconds between two questions for the next block, and for how long it is waited for at most. */
const askEvery = 500
const maxWait = 20_000

const advice = 'synchronise the clocks of all machines (NTP)'

export interface PeerClockParts {
  /** The newest block of a peer. */
  readonly best: Hash32
  header(block: Hash32 | bigint): Promise<Header | undefined>
  /** Undefined where blocks come only with transactions. */
  readonly expected: ExpectedPeriod | undefined
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly now: () => number
  readonly pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Compares this machine's clock with the newest block of a peer. One that is old says nothing by itself, since blocks may be missing: the
 * next one is waited for, which is new when it comes. Undefined if the peer shows no block.
 */
export async function checkPeerClock(parts: PeerClockParts): Promise<Checked | undefined> {
  const { header, expected, now, pause = setTimeout } = parts
  const newest = await header(parts.best)
  if (!newest) return undefined
  const age = ageOf(newest, now())
  if (age < -maxEarly) return wrong(`the newest block of a peer is ${-age} s ahead of this machine's clock`, advice)
  if (!expected || newest.number === 0n || age <= expected.period + maxLate)
    return fine(`this machine's clock agrees with the newest block of a peer, which is ${Math.max(age, 0)} s old`)
  const { period, timeout } = expected
  const wait = Math.min(1000 * (2 * period + 2 * timeout), maxWait)
  for (let waited = 0; waited <= wait; waited += askEvery) {
    const next = await header(newest.number + 1n)
    if (next) return judgeNext(ageOf(next, now()))
    await pause(askEvery)
  }
  return warning(
    `the newest block of a peer is ${age} s old, and none came within ${Math.round(wait / 1000)} s`,
    'no blocks are made: look at the validators',
  )
}

const ageOf = ({ timestamp }: Header, now: number) => Math.floor(now / 1000) - Number(timestamp)

function judgeNext(age: number): Checked {
  if (age > maxLate) return wrong(`this machine's clock is ${age} s ahead of the blocks that peers make now`, advice)
  if (age < -maxEarly) return wrong(`this machine's clock is ${-age} s behind the blocks that peers make now`, advice)
  return fine(`this machine's clock agrees with the block that a peer has made just now`)
}
