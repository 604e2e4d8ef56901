import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Header } from '../../types/header.ts'
import { castVote, startTally, type Tally, type Vote } from './tally.ts'

/** How an engine's headers tell of validators and votes. */
export interface VotingRules {
  readonly epochLength: number
  /** The validators that an epoch block lists. */
  listedIn(header: Header): readonly Address[]
  /** Validators for the block after this one that the network's configuration sets, whatever headers say. */
  setAfter?(block: HashedHeader, chain: Ancestry): readonly Address[] | undefined
  voteIn(block: HashedHeader): Vote | undefined
}

/** What counting votes asks of a chain. */
export type Ancestry = Pick<ChainView, 'headerBy'>

export interface TallyHistory {
  /** The count after a block that the chain knows. */
  after(block: HashedHeader, chain: Ancestry): Tally
}

/** Counts that are kept: of the last blocks used, and of every so-manieth block for questions about the past. */
const recentCounts = 1024
const checkpointDistance = 512n
const checkpointCounts = 1024

export function isEpochBlock(number: bigint, epochLength: number): boolean {
  return number % BigInt(epochLength) === 0n
}

/** Votes counted along chains: from the last block that starts afresh, or from the nearest count that is kept. */
export function createTallyHistory({ epochLength, listedIn, setAfter, voteIn }: VotingRules): TallyHistory {
  const recent = createRecentMap<string, Tally>(recentCounts)
  const checkpoints = createRecentMap<string, Tally>(checkpointCounts)

  function startAfter(block: HashedHeader, chain: Ancestry): Tally | undefined {
    const { header } = block
    const list = setAfter?.(block, chain) ?? (isEpochBlock(header.number, epochLength) ? listedIn(header) : undefined)
    return list && startTally(list)
  }

  function keep({ header, hash }: HashedHeader, tally: Tally): void {
    recent.set(keyOf(hash), tally)
    if (header.number % checkpointDistance === 0n) checkpoints.set(keyOf(hash), tally)
  }

  /** An epoch block's own vote does not count. One in front of a configured set does: Besu counts it on top of that set. */
  function count(tally: Tally, block: HashedHeader): Tally {
    const vote = isEpochBlock(block.header.number, epochLength) ? undefined : voteIn(block)
    return vote ? castVote(tally, vote) : tally
  }

  const keptCount = (hash: Hash32) => recent.use(keyOf(hash)) ?? checkpoints.use(keyOf(hash))

  function parentOf({ header }: HashedHeader, chain: Ancestry): HashedHeader {
    const parent = chain.headerBy(header.parentHash)
    if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    return parent
  }

  function after(block: HashedHeader, chain: Ancestry): Tally {
    const kept = keptCount(block.hash)
    if (kept) return kept
    const uncounted = [block]
    let at = block
    let tally = startAfter(at, chain) ?? keptCount(at.header.parentHash)
    while (!tally) {
      at = parentOf(at, chain)
      uncounted.push(at)
      tally = startAfter(at, chain) ?? keptCount(at.header.parentHash)
    }
    for (const one of uncounted.reverse()) keep(one, (tally = count(tally, one)))
    return tally
  }

  return { after }
}
