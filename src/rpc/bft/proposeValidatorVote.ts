import { boolean } from '../codecs/boolean.ts'
import { address } from '../codecs/bytes.ts'
import { method, param } from '../method.ts'
import { type BftNamespace, requireVotes, voteErrors } from './votes.ts'

const proposeValidatorVote = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_proposeValidatorVote`,
    doc: 'Votes, in blocks that this node makes, for an account to become a validator (true) or to stop being one (false).',
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

export const ibft_proposeValidatorVote = proposeValidatorVote('ibft')
export const qbft_proposeValidatorVote = proposeValidatorVote('qbft')
