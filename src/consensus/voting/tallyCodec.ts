import { bytesOfKey, emptyBytes, keyOf, toAddress } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import type { Tally } from './tally.ts'

const addressLength = 20
const keyIn = (item: RlpItem | undefined): string => keyOf(rlpBytes(item, addressLength))

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
    return [keyIn(proposer), rlpBytes(add).length > 0]
  }
  return {
    validators: rlpList(validators).map((item) => toAddress(rlpBytes(item, addressLength).slice())),
    votes: new Map(
      rlpList(votes).map((item) => {
        const [subject, words] = rlpList(item, 2)
        return [keyIn(subject), new Map(rlpList(words).map(wordOf))]
      }),
    ),
  }
}
