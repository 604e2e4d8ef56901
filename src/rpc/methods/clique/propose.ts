import { equalBytes, zeroAddress } from '../../../primitives/bytes.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_propose = method({
  name: 'clique_propose',
  doc: 'Makes this node vote to add (true) or remove (false) a signer, in the blocks that it makes.',
  needs: ['chain', 'clique'],
  params: [param('address', address), param('add', boolean)],
  result: boolean,
  errors: [
    [-32600, 'The address is the zero address.'],
    [-32604, 'The network has migrated to another consensus.'],
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
