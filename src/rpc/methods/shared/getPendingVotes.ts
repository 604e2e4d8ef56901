import { pendingVotes } from '../../calls/pendingVotes.ts'
import { type BftNamespace, requireVotes, voteErrors } from '../../calls/requireVotes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { dictionary } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

/** Declares `getPendingVotes` in a namespace. */
export const getPendingVotes = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getPendingVotes`,
    doc: 'Returns the votes of this node by account: true to add a validator, false to remove it.',
    needs: ['chain', namespace],
    params: [],
    result: dictionary(boolean),
    errors: voteErrors,
    handler: (context) => pendingVotes(requireVotes(context[namespace], context.chain)),
  })
