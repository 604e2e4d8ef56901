import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { anyTransactionObject } from '../../objects/anyTransaction.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getTransactionByHash = method({
  name: 'eth_getTransactionByHash',
  doc: 'Returns a transaction by hash, from the pool or the canonical chain; null if it is unknown.',
  needs: ['chain', 'pool'],
  params: [param('hash', hash)],
  fixedCount: true,
  result: nullable(anyTransactionObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain, pool }, [wanted]) {
    const pending = pool.get(wanted)
    if (pending) return pending
    const place = chain.findTx(wanted)
    const block = place && chain.headerAt(place.blockNumber)
    return block && { tx: chain.transactionAt(block.hash, place.index)!, block, index: place.index }
  },
})
