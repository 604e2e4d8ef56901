import { headIfUnknown } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber, latest } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_getSigners = method({
  name: 'clique_getSigners',
  doc: 'Returns the signers after a block, its own vote included.',
  needs: ['chain', 'clique'],
  params: [param('block', anyBlockNumber, { value: latest })],
  result: listEncoder(address),
  errors: [[-32000, 'Block not found.']],
  example: ['latest'],
  handler({ chain, clique }, [block]) {
    const found = chain.headerAt(headIfUnknown(chain, block))
    if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return clique.validatorsAfter(found, chain)
  },
})
