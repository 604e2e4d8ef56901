import { boolean } from '../codecs/boolean.ts'
import { dictionary } from '../codecs/record.ts'
import { method } from '../protocol/method.ts'
import { pendingVotes } from './pendingVotes.ts'
import { type BftNamespace, requireVotes, voteErrors } from './votes.ts'

/** `getPendingVotes` of one engine. */
export const getPendingVotes = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getPendingVotes`,
    doc: 'Accounts that this node votes on: true to add a validator, false to remove one.',
    needs: ['chain', namespace],
    params: [],
    result: dictionary(boolean),
    errors: voteErrors,
    handler: (context) => pendingVotes(requireVotes(context[namespace], context.chain)),
  })
