import { type BftNamespace, requireVotes, voteErrors } from '../../calls/requireVotes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

/** Declares `proposeValidatorVote` in a namespace. */
export const proposeValidatorVote = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_proposeValidatorVote`,
    doc: 'Makes this node vote to add (true) or remove (false) a validator, in the blocks that it proposes.',
    needs: ['chain', namespace],
    params: [param('address', address), param('add', boolean)],
    result: boolean,
    errors: voteErrors,
    example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', true],
    handler: (context, [subject, add]) => {
      requireVotes(context[namespace], context.chain).propose(subject, add)
      return true
    },
  })
