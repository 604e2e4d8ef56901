import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { decodeRlp } from '../../primitives/rlp.ts'
import { fieldOfEncodedHeader, type Header, headerFromRlp } from '../../types/header.ts'
import { castVote, startTally, type Tally, type Vote } from './tally.ts'
import { decodeTally, encodeTally } from './tallyCodec.ts'

/** Reads validators and votes from headers. */
export interface VotingRules {
  readonly epochLength: number
  /** The block from which epochs are counted; 0 by default. */
  readonly epochsFrom?: bigint | undefined
  /** Returns the validators that an epoch block lists. */
  listedIn(header: Header): readonly Address[]
  /** Returns the validators that the genesis file's transitions set for the block after this one, if any. */
  setAfter?(number: bigint, block: () => HashedHeader, chain: HeaderReader): readonly Address[] | undefined
  voteIn(block: HashedHeader): Vote | undefined
  /** Whether an encoded header has a vote: most have none, and are passed over without decoding them. */
  hasVote(encodedHeader: Uint8Array, number: bigint): boolean
  /** The first block whose stored tally was counted by these rules; 0 by default. */
  readonly storedFrom?: bigint | undefined
}

/** What counting votes needs from the chain. */
export type HeaderReader = Pick<ChainView, 'encodedHeader' | 'engineRecord'>

export interface TallyHistory {
  /** Returns the tally after a block in the chain. */
  after(block: HashedHeader, chain: HeaderReader): Tally
  /** Returns the tally after a block as the chain stores it; undefined if it is not stored with this block. */
  recordAfter(block: HashedHeader, chain: () => HeaderReader): Uint8Array | undefined
}

/**
 * Cached tallies: of recently used blocks, and of blocks at regular intervals for queries about the past. The chain stores the
 * latter, so that a node need not count the votes of an epoch when it starts.
 */
const recentCounts = 1024
const checkpointDistance = 512n
const checkpointCounts = 1024

/** A block whose vote is still to be counted. */
interface Uncounted {
  readonly number: bigint
  readonly hash: Hash32
  readonly vote: Vote | undefined
}

/** A block on the way back to one whose tally is known. */
interface Step extends Uncounted {
  readonly parentHash: Hash32
  readonly block: () => HashedHeader
}

export function isEpochBlock(number: bigint, epochLength: number): boolean {
  return number % BigInt(epochLength) === 0n
}

/** Tallies of recent blocks, each counted from the last one that is known. */
class CountedVotes implements TallyHistory {
  private readonly epochLength: number
  private readonly epochsFrom: bigint
  private readonly firstCheckpoint: bigint
  private readonly listedIn: VotingRules['listedIn']
  private readonly setAfter: VotingRules['setAfter']
  private readonly voteIn: VotingRules['voteIn']
  private readonly hasVote: VotingRules['hasVote']
  private readonly storedFrom: bigint
  private readonly recent = createRecentMap<string, Tally>(recentCounts)
  private readonly checkpoints = createRecentMap<string, Tally>(checkpointCounts)

  constructor(rules: VotingRules) {
    const { epochLength, epochsFrom = 0n, listedIn, setAfter, voteIn, hasVote, storedFrom = 0n } = rules
    this.epochLength = epochLength
    this.epochsFrom = epochsFrom
    // A tally that was stored while epochs were counted in another way is not there to be read.
    this.firstCheckpoint = epochsFrom && (epochsFrom % checkpointDistance || checkpointDistance / 2n)
    this.listedIn = listedIn
    this.setAfter = setAfter
    this.voteIn = voteIn
    this.hasVote = hasVote
    this.storedFrom = storedFrom
  }

  private beginsEpoch(number: bigint): boolean {
    return number >= this.epochsFrom && isEpochBlock(number - this.epochsFrom, this.epochLength)
  }

  private isCheckpoint(number: bigint): boolean {
    return number % checkpointDistance === this.firstCheckpoint
  }

  private keptCount(hash: Hash32) {
    return this.recent.use(keyOf(hash)) ?? this.checkpoints.use(keyOf(hash))
  }

  private storedCount(hash: Hash32, number: bigint, chain: HeaderReader): Tally | undefined {
    const record = this.isCheckpoint(number) && number >= this.storedFrom ? chain.engineRecord(hash, number) : undefined
    if (!record) return undefined
    const tally = decodeTally(record)
    this.checkpoints.set(keyOf(hash), tally)
    return tally
  }

  private keep({ number, hash }: Uncounted, tally: Tally): void {
    this.recent.set(keyOf(hash), tally)
    if (this.isCheckpoint(number)) this.checkpoints.set(keyOf(hash), tally)
  }

  /** The tally with which counting begins at a block: what the block itself starts, or what is kept of its parent. */
  private tallyBefore({ number, parentHash, block }: Step, chain: HeaderReader): Tally | undefined {
    const list =
      this.setAfter?.(number, block, chain) ?? (this.beginsEpoch(number) ? this.listedIn(block().header) : undefined)
    return list ? startTally(list) : (this.keptCount(parentHash) ?? this.storedCount(parentHash, number - 1n, chain))
  }

  /** A vote in an epoch block is ignored. A vote just before a configured set counts on top of that set, as in Besu. */
  private countsVote(number: bigint) {
    return !this.beginsEpoch(number)
  }

  private stepAt(block: HashedHeader): Step {
    const { number, parentHash } = block.header
    return {
      number,
      hash: block.hash,
      parentHash,
      vote: this.countsVote(number) ? this.voteIn(block) : undefined,
      block: () => block,
    }
  }

  private stepBack(from: Step, chain: HeaderReader): Step {
    const [hash, number] = [from.parentHash, from.number - 1n]
    const encoded = chain.encodedHeader(hash, number)
    if (!encoded) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: hash })
    const block = () => ({ header: headerFromRlp(decodeRlp(encoded)), hash })
    return {
      number,
      hash,
      parentHash: fieldOfEncodedHeader(encoded, 'parentHash') as Hash32,
      vote: this.countsVote(number) && this.hasVote(encoded, number) ? this.voteIn(block()) : undefined,
      block,
    }
  }

  readonly after = (block: HashedHeader, chain: HeaderReader): Tally => {
    const kept = this.keptCount(block.hash) ?? this.storedCount(block.hash, block.header.number, chain)
    if (kept) return kept
    // In a chain without stored tallies up to a whole epoch is walked through. Blocks that change nothing and are not kept are not held either.
    let at = this.stepAt(block)
    const uncounted: Uncounted[] = [at]
    let tally = this.tallyBefore(at, chain)
    while (!tally) {
      at = this.stepBack(at, chain)
      if (at.vote || uncounted.length < recentCounts || this.isCheckpoint(at.number)) uncounted.push(at)
      tally = this.tallyBefore(at, chain)
    }
    for (const one of uncounted.reverse()) {
      if (one.vote) tally = castVote(tally, one.vote)
      this.keep(one, tally)
    }
    return tally
  }

  readonly recordAfter: TallyHistory['recordAfter'] = (block, chain) =>
    this.isCheckpoint(block.header.number) ? encodeTally(this.after(block, chain())) : undefined
}

/** Counts votes from the last epoch block or configured set, or from the nearest cached tally. */
export function createTallyHistory(rules: VotingRules): TallyHistory {
  return new CountedVotes(rules)
}
