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
 */
export interface KeyCaution {
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

  constructor(parts: KeyCautionParts) {
    this.parts = parts
  }

  readonly isSilentOn: KeyCaution['isSilentOn'] = (head, validators, find) => {
    // Nobody else relies on the word of one that is alone, and nobody else would make its blocks.
    if (validators < 2) return false
    const found = find(this.seen)
    if (found !== undefined) {
      this.seen = found
      this.upTo = found + BigInt(validators + 1 + Math.floor(this.parts.random() * 2 * validators))
      this.parts.onSilence(this.upTo, found)
    }
    return head < this.upTo
  }

  readonly relent: KeyCaution['relent'] = () => {
    this.upTo = -1n
  }
}

export function createKeyCaution(parts: KeyCautionParts): KeyCaution {
  return new SilentKey(parts)
}

/** Milliseconds for which a chain may stand still until a silent validator speaks: several rounds of the others. */
export const silentPatience = (roundMilliseconds: number): number => Math.max(20_000, 4 * roundMilliseconds)
