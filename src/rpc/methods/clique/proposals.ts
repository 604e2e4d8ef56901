import { pendingVotes } from '../../calls/pendingVotes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { dictionary } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

export const clique_proposals = method({
  name: 'clique_proposals',
  doc: 'Returns the votes of this node by account: true to add a signer, false to remove it.',
  needs: ['chain', 'clique'],
  params: [],
  result: dictionary(boolean),
  handler({ chain, clique }) {
    const votes = clique.votes(chain)
    return votes ? pendingVotes(votes) : new Map<string, boolean>()
  },
})
