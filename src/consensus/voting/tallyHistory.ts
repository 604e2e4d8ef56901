import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Header } from '../../types/header.ts'
import { castVote, startTally, type Tally, type Vote } from './tally.ts'

/** Reads validators and votes from headers. */
export interface VotingRules {
  readonly epochLength: number
  /** Returns the validators that an epoch block lists. */
  listedIn(header: Header): readonly Address[]
  /** Returns the validators that the genesis file's transitions set for the next block, if any. */
  setAfter?(block: HashedHeader, chain: HeaderReader): readonly Address[] | undefined
  voteIn(block: HashedHeader): Vote | undefined
}

/** What counting votes needs from the chain. */
export type HeaderReader = Pick<ChainView, 'parentOf'>

export interface TallyHistory {
  /** Returns the tally after a block in the chain. */
  after(block: HashedHeader, chain: HeaderReader): Tally
}

/** Cached tallies: of recently used blocks, and of blocks at regular intervals for queries about the past. */
const recentCounts = 1024
const checkpointDistance = 512n
const checkpointCounts = 1024

const isCheckpoint = (number: bigint): boolean => number % checkpointDistance === 0n

/** A block whose vote is still to be counted. */
interface Uncounted {
  readonly number: bigint
  readonly hash: Hash32
  readonly vote: Vote | undefined
}

export function isEpochBlock(number: bigint, epochLength: number): boolean {
  return number % BigInt(epochLength) === 0n
}

/** Counts votes from the last epoch block or configured set, or from the nearest cached tally. */
export function createTallyHistory({ epochLength, listedIn, setAfter, voteIn }: VotingRules): TallyHistory {
  const recent = createRecentMap<string, Tally>(recentCounts)
  const checkpoints = createRecentMap<string, Tally>(checkpointCounts)

  function startAfter(block: HashedHeader, chain: HeaderReader): Tally | undefined {
    const { header } = block
    const list = setAfter?.(block, chain) ?? (isEpochBlock(header.number, epochLength) ? listedIn(header) : undefined)
    return list && startTally(list)
  }

  function keep({ number, hash }: Uncounted, tally: Tally): void {
    recent.set(keyOf(hash), tally)
    if (isCheckpoint(number)) checkpoints.set(keyOf(hash), tally)
  }

  /** A vote in an epoch block is ignored. A vote just before a configured set counts on top of that set, as in Besu. */
  function uncountedOf(block: HashedHeader): Uncounted {
    const { number } = block.header
    return { number, hash: block.hash, vote: isEpochBlock(number, epochLength) ? undefined : voteIn(block) }
  }

  const keptCount = (hash: Hash32) => recent.use(keyOf(hash)) ?? checkpoints.use(keyOf(hash))

  function parentOf({ header }: HashedHeader, chain: HeaderReader): HashedHeader {
    const parent = chain.parentOf(header)
    if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    return parent
  }

  function after(block: HashedHeader, chain: HeaderReader): Tally {
    const kept = keptCount(block.hash)
    if (kept) return kept
    // After a start up to a whole epoch is walked through. Blocks that change nothing and are not kept are not held either.
    const uncounted = [uncountedOf(block)]
    let at = block
    let tally = startAfter(at, chain) ?? keptCount(at.header.parentHash)
    while (!tally) {
      at = parentOf(at, chain)
      const one = uncountedOf(at)
      if (one.vote || uncounted.length < recentCounts || isCheckpoint(one.number)) uncounted.push(one)
      tally = startAfter(at, chain) ?? keptCount(at.header.parentHash)
    }
    for (const one of uncounted.reverse()) {
      if (one.vote) tally = castVote(tally, one.vote)
      keep(one, tally)
    }
    return tally
  }

  return { after }
}
