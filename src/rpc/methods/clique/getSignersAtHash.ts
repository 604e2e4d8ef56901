import { address, hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_getSignersAtHash = method({
  name: 'clique_getSignersAtHash',
  doc: 'Returns the signers after the block with this hash, its own vote included.',
  needs: ['chain', 'clique'],
  params: [param('hash', hash)],
  result: listEncoder(address),
  errors: [[-32000, 'Block not found.']],
  example: [`0x${'00'.repeat(32)}`],
  handler({ chain, clique }, [blockHash]) {
    const found = chain.headerBy(blockHash)
    if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return clique.validatorsAfter(found, chain)
  },
})
