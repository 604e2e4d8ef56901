import { type BftNamespace, requireVotes, voteErrors } from '../../calls/requireVotes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

/** Declares `discardValidatorVote` in a namespace. */
export const discardValidatorVote = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_discardValidatorVote`,
    doc: 'Discards the vote of this node on an account. Returns whether there was one.',
    needs: ['chain', namespace],
    params: [param('address', address)],
    result: boolean,
    errors: voteErrors,
    example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
    handler: (context, [subject]) => requireVotes(context[namespace], context.chain).discard(subject),
  })
