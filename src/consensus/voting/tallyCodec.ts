import { type Address, bytesOfKey, emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import type { Tally } from './tally.ts'

const addressOf = (item: RlpItem | undefined): Address => rlpBytes(item, 20).slice() as Uint8Array as Address

/** A tally as the chain stores it: validators, and by subject who wants to add or remove it. */
export function encodeTally({ validators, votes }: Tally): Uint8Array {
  const words = (by: ReadonlyMap<string, boolean>) =>
    [...by].map(([proposer, add]) => [bytesOfKey(proposer), add ? scalar(1) : emptyBytes])
  return encodeRlp([validators, [...votes].map(([subject, by]) => [bytesOfKey(subject), words(by)])])
}

export function decodeTally(bytes: Uint8Array): Tally {
  const [validators, votes] = rlpList(decodeRlp(bytes), 2)
  const wordOf = (item: RlpItem): [string, boolean] => {
    const [proposer, add] = rlpList(item, 2)
    return [keyOf(addressOf(proposer)), rlpBytes(add).length > 0]
  }
  return {
    validators: rlpList(validators).map(addressOf),
    votes: new Map(
      rlpList(votes).map((item) => {
        const [subject, words] = rlpList(item, 2)
        return [keyOf(addressOf(subject)), new Map(rlpList(words).map(wordOf))]
      }),
    ),
  }
}
