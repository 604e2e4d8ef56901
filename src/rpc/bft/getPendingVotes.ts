import { pendingVotes } from '../authority/pendingVotes.ts'
import { boolean } from '../codecs/boolean.ts'
import { dictionary } from '../codecs/record.ts'
import { method } from '../method.ts'
import { type BftNamespace, requireVotes, voteErrors } from './votes.ts'

const getPendingVotes = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getPendingVotes`,
    doc: 'Accounts that this node votes on: true to add a validator, false to remove one.',
    needs: ['chain', namespace],
    params: [],
    result: dictionary(boolean),
    errors: voteErrors,
    handler: (context) => pendingVotes(requireVotes(context[namespace], context.chain)),
  })

export const ibft_getPendingVotes = getPendingVotes('ibft')
export const qbft_getPendingVotes = getPendingVotes('qbft')
