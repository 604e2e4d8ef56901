import type { HashedHeader } from '../../src/chain/view.ts'
import { type Address, compareBytes, keyOf } from '../../src/primitives/bytes.ts'

export interface ElectionRules {
  readonly first: readonly Address[]
  readonly epochLength: number
  /** Validators that the genesis file names for a block. */
  readonly namedFor: (number: bigint) => readonly Address[] | undefined
  readonly voteIn: (
    block: HashedHeader,
  ) => { readonly by: Address; readonly on: Address; readonly add: boolean } | undefined
  readonly parentOf: (block: HashedHeader) => HashedHeader
}

/** Ways to count wrongly. */
export interface Miscount {
  /** Half of the votes decide. */
  readonly halfDecides?: boolean
  /** Votes go on to count after an epoch's end. */
  readonly keepsVotes?: boolean
}

interface Count {
  readonly validators: readonly Address[]
  /** One word per voter and subject, the last one. */
  readonly words: readonly { readonly by: string; readonly on: string; readonly add: boolean }[]
}

/** Counts the votes of a chain again, from the rules and with nothing of the node's; gives who decides after a block. */
export function createElections(
  rules: ElectionRules,
  miscount: Miscount = {},
): (head: HashedHeader) => readonly Address[] {
  const counts = new Map<string, Count>()

  function decides(words: number, validators: number): boolean {
    return miscount.halfDecides ? 2 * words >= validators : 2 * words > validators
  }

  function vote(count: Count, block: HashedHeader): Count {
    const given = rules.voteIn(block)
    if (!given) return count
    const word = { by: keyOf(given.by), on: keyOf(given.on), add: given.add }
    const words = [...count.words.filter(({ by, on }) => by !== word.by || on !== word.on), word]
    const about = words.filter(({ on }) => on === word.on)
    const [pro, contra] = [about.filter(({ add }) => add).length, about.filter(({ add }) => !add).length]
    const others = words.filter(({ on }) => on !== word.on)
    const rest = count.validators.filter((one) => keyOf(one) !== word.on)
    if (decides(contra, count.validators.length))
      return { validators: rest, words: others.filter(({ by }) => by !== word.on) }
    if (decides(pro, count.validators.length))
      return { validators: [...rest, given.on].sort(compareBytes), words: others }
    return { validators: count.validators, words }
  }

  function countAfter(block: HashedHeader): Count {
    const key = keyOf(block.hash)
    const known = counts.get(key)
    if (known) return known
    const { number } = block.header
    const isEpoch = number % BigInt(rules.epochLength) === 0n
    const before = number === 0n ? { validators: rules.first, words: [] } : countAfter(rules.parentOf(block))
    const named = rules.namedFor(number + 1n)
    const start = { validators: before.validators, words: isEpoch && !miscount.keepsVotes ? [] : before.words }
    const count = named ? { validators: [...named].sort(compareBytes), words: [] } : start
    const after = isEpoch ? count : vote(count, block)
    counts.set(key, after)
    return after
  }

  return (head) => countAfter(head).validators
}
