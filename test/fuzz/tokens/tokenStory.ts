import { type Address, concatBytes, zeroAddress } from '../../../src/primitives/bytes.ts'
import { maxU256, toWord } from '../../../src/primitives/u256.ts'
import {
  type AnyLog,
  accountOf,
  batchTransfer,
  erc20Transfer,
  erc721Transfer,
  singleTransfer,
} from '../../support/anyLogs.ts'
import type { Random } from '../random.ts'

/** What a log says, by the one who wrote it: kind of the token, parties, item and amount. */
export interface Said {
  readonly kind: 0 | 1 | 2
  readonly from: Address
  readonly to: Address
  readonly item: bigint
  readonly amount: bigint
}

/** A log with what it says: nothing, if it is not as its standard wants it. */
export interface ToldLog {
  readonly log: AnyLog
  readonly says: readonly Said[]
}

const accounts = [zeroAddress, ...Array.from({ length: 12 }, (_, i) => accountOf(0xacc00 + i))]

const amountOf = (random: Random): bigint =>
  random.weighted<() => bigint>([
    [6, () => BigInt(random.below(1000))],
    [2, () => BigInt(random.below(2 ** 31)) << BigInt(random.below(225))],
    [1, () => 0n],
    [1, () => maxU256],
  ])()

/** A log that is broken in one of many ways. */
function breakLog(random: Random, { topics, data }: AnyLog): AnyLog {
  return random.pick<() => AnyLog>([
    () => ({ topics: topics.slice(0, random.below(3)), data }),
    // Who sends; in ERC-1155 the operator comes before, and may be anybody.
    () => ({ topics: topics.with(topics.length === 4 && data.length > 0 ? 2 : 1, toWord(maxU256)), data }),
    () => ({
      topics: topics.length === 4 && data.length === 0 ? topics.slice(0, 3) : topics,
      data: new Uint8Array(random.below(32)),
    }),
    () => ({ topics: [random.bytes(32), ...topics.slice(1)], data }),
  ])()
}

/** A log of one of the standards, true or not, or one that only looks like it. */
export function anyToldLog(random: Random): ToldLog {
  const [from, to] = [random.pick(accounts), random.pick(accounts)]
  const item = BigInt(random.below(6))
  const amount = amountOf(random)
  const told = random.weighted<() => ToldLog>([
    [5, () => ({ log: erc20Transfer(from, to, amount), says: [{ kind: 0, from, to, item: 0n, amount }] })],
    [3, () => ({ log: erc721Transfer(from, to, item), says: [{ kind: 1, from, to, item, amount: 1n }] })],
    [2, () => ({ log: singleTransfer(from, to, item, amount), says: [{ kind: 2, from, to, item, amount }] })],
    [
      2,
      () => {
        const items = Array.from(
          { length: random.below(5) },
          () => [BigInt(random.below(4)), amountOf(random)] as const,
        )
        const says = items.map(([one, much]) => ({ kind: 2 as const, from, to, item: one, amount: much }))
        return { log: batchTransfer(from, to, items), says }
      },
    ],
  ])()
  if (!random.percent(15)) return told
  const log = breakLog(random, told.log)
  // A broken ERC-721 log without its item has the topics of ERC-20, and no amount.
  return { log, says: [] }
}

/** A batch whose arrays lie in each other, or claim more than there is. */
export function hostileBatch(random: Random): ToldLog {
  const { topics } = batchTransfer(accounts[1]!, accounts[2]!, [])
  const words = Array.from({ length: 2 + random.below(6) }, () =>
    random.pick([0n, 1n, 32n, 64n, 96n, 1n << 40n, maxU256]),
  )
  return { log: { topics, data: concatBytes(...words.map(toWord)) }, says: readBatch(words) }
}

/** What such a batch says, read in another way than the node's: with big numbers, word by word. */
function readBatch(words: readonly bigint[]): readonly Said[] {
  const length = BigInt(words.length) * 32n
  const at = (place: bigint): bigint | undefined => (place % 32n === 0n ? words[Number(place / 32n)] : undefined)
  const listAt = (head: bigint): readonly bigint[] | undefined => {
    const place = at(head)
    if (place === undefined || place > length) return undefined
    const count = place % 32n === 0n ? at(place) : undefined
    if (count === undefined || place + 32n + count * 32n > length) return undefined
    return Array.from({ length: Number(count) }, (_, i) => at(place + 32n + BigInt(i) * 32n)!)
  }
  const [items, amounts] = [listAt(0n), listAt(32n)]
  // Places in the middle of a word are left to the node: the words above have none that leads to a count in the data.
  if (!items || !amounts || items.length !== amounts.length) return []
  return items.map((item, i) => ({ kind: 2, from: accounts[1]!, to: accounts[2]!, item, amount: amounts[i]! }))
}
