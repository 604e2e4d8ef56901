import { address, hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_getSignersAtHash = method({
  name: 'clique_getSignersAtHash',
  doc: 'Signers that may make the block after a block, whose own vote counts.',
  needs: ['chain', 'clique'],
  params: [param('hash', hash)],
  result: listEncoder(address),
  errors: [[-32000, 'There is no such block.']],
  example: [`0x${'00'.repeat(32)}`],
  handler({ chain, clique }, [blockHash]) {
    const found = chain.headerBy(blockHash)
    if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return clique.validatorsAfter(found, chain)
  },
})
