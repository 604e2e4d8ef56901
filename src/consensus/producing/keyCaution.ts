export interface KeyCautionParts {
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  /** Nothing is signed up to this height, of which a block is the reason. */
  readonly onSilence: (upTo: bigint, because: bigint) => void
}

/**
 * Keeps a validator silent while its key has signed what this process does not know of. The chain shows it: a block that is sealed with the
 * key and that is not in the record. Then the record was lost, or set back with the data folder, or another process has the key. In the
 * first two cases the last words that are forgotten are near the last such block; in the third more such blocks come. So nothing is
 * signed until the chain is past the last one by a turn of each validator, and a random number of blocks more: of two processes that wait for the
 * same reason one is first, and the other one sees its blocks.
 *
 * A block comes too late where one process ends its silence while the other one comes back. So who was away listens first, and whoever has not spoken
 * for long takes words with its key as a reason, too.
 */
export interface KeyCaution {
  /**
   * This process begins, or begins again. Where the chain has gone on without it another one may have taken its place, and be about to say its first
   * word: nothing is signed for so many heights, and some more, so that one of two is noticed by the other. With 0, it is on the alert only.
   */
  listen(head: bigint, validators: number, heights: number): void
  /** Something of this height is signed with the key elsewhere. Returns whether that is news. */
  suspect(height: bigint, validators: number): boolean
  /** Whether another process may think, too, that it has to take this one's place at a height: it has not spoken for long. */
  isYoung(height: bigint): boolean
  /** Whether there is more reason to say nothing on a head than that it listens. */
  isDoubtful(head: bigint): boolean
  /**
   * Returns whether nothing may be signed on a head that so many validators follow. `find` returns the height of the latest block after a
   * height that the key has signed although this process knows nothing of it; undefined if there is none.
   */
  isSilentOn(head: bigint, validators: number, find: (after: bigint) => bigint | undefined): boolean
  /** The chain has stood still for long, perhaps for want of this validator: if it was silent, it is so no longer. */
  relent(): void
}

class SilentKey implements KeyCaution {
  private readonly parts: KeyCautionParts
  /** The last block that was a reason. */
  private seen = -1n
  private upTo = -1n
  private listensTo = -1n
  private isYoungTo = -1n

  constructor(parts: KeyCautionParts) {
    this.parts = parts
  }

  readonly isSilentOn: KeyCaution['isSilentOn'] = (head, validators, find) => {
    // Nobody else relies on the word of one that is alone, and nobody else would make its blocks.
    if (validators < 2) return false
    const found = find(this.seen)
    if (found !== undefined) this.suspect(found, validators)
    return head < this.upTo || head < this.listensTo
  }

  readonly listen: KeyCaution['listen'] = (head, validators, heights) => {
    this.listensTo = heights > 0 ? head + BigInt(heights) + this.chance(2 * heights) : head
    this.isYoungTo = this.listensTo + BigInt(2 * validators)
  }

  readonly suspect: KeyCaution['suspect'] = (height, validators) => {
    if (height <= this.seen) return false
    this.seen = height
    this.upTo = height + BigInt(validators + 1) + this.chance(2 * validators)
    this.isYoungTo = this.upTo + BigInt(2 * validators)
    this.parts.onSilence(this.upTo, height)
    return true
  }

  readonly isDoubtful: KeyCaution['isDoubtful'] = (head) => head < this.upTo

  readonly isYoung: KeyCaution['isYoung'] = (height) => height <= this.isYoungTo

  private chance(limit: number): bigint {
    return BigInt(Math.floor(this.parts.random() * limit))
  }

  readonly relent: KeyCaution['relent'] = () => {
    this.upTo = -1n
    this.listensTo = -1n
  }
}

export function createKeyCaution(parts: KeyCautionParts): KeyCaution {
  return new SilentKey(parts)
}

/** Milliseconds for which a chain may stand still while a validator only listens: it is not waited for longer than for a turn that is missed. */
export const listeningPatience = (periodMilliseconds: number): number => Math.max(2000, 2 * periodMilliseconds)

/** Milliseconds for which a chain may stand still until a silent validator speaks: several rounds of the others. */
export const silentPatience = (roundMilliseconds: number): number => Math.max(20_000, 4 * roundMilliseconds)
