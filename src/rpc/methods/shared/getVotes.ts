import { majorityOf, type Tally } from '../../../consensus/voting/tally.ts'
import { bytesOfKey } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import type { BftNamespace } from '../../calls/requireVotes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count, quantity } from '../../codecs/quantity.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

interface CountedVotes {
  readonly tally: Tally
  readonly nextEpoch: bigint
}

const addressOfKey = (key: string) => toHex(bytesOfKey(key))

const votesObject = record<CountedVotes>('votes', (member) => [
  member('validators', count, ({ tally }) => tally.validators.length),
  member('needed', count, ({ tally }) => majorityOf(tally.validators.length)),
  member('nextEpoch', quantity, ({ nextEpoch }) => nextEpoch),
  member(
    'votes',
    dictionary(dictionary(boolean)),
    ({ tally }) =>
      new Map(
        [...tally.votes].map(([subject, words]) => [
          addressOfKey(subject),
          new Map([...words].map(([voter, add]) => [addressOfKey(voter), add])),
        ]),
      ),
  ),
])

/** Declares `getVotes` in a namespace. Besu has no such method: `getPendingVotes` says what one node wants to vote. */
export const getVotes = (namespace: BftNamespace | 'clique') =>
  method({
    name: `${namespace}_getVotes`,
    doc:
      'Returns the votes that are in the chain and not decided, by account and voter: true to add the account, false to remove it. ' +
      'More than half of the validators are needed; votes end at the next epoch. Null where a contract, or another consensus, decides.',
    needs: ['chain', namespace],
    params: [],
    result: nullable(votesObject),
    handler(context) {
      const { chain } = context
      const authority = context[namespace]
      const tally = authority.tally(chain)
      return tally && { tally, nextEpoch: authority.epochAfter(chain.head.header.number) }
    },
  })
