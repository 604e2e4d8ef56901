import { equalBytes, zeroAddress } from '../../../primitives/bytes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_propose = method({
  name: 'clique_propose',
  doc: 'Votes, in blocks that this node makes, for an account to become a signer (true) or to stop being one (false).',
  needs: ['chain', 'clique'],
  params: [param('address', address), param('add', boolean)],
  result: boolean,
  errors: [
    [-32600, 'The zero address stands for no vote.'],
    [-32604, 'Another engine makes the blocks now.'],
  ],
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', true],
  handler({ chain, clique }, [subject, add]) {
    if (equalBytes(subject, zeroAddress)) throw new RpcError({ code: 'INVALID_REQUEST' })
    const votes = clique.votes(chain)
    if (!votes) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
    votes.propose(subject, add)
    return true
  },
})
