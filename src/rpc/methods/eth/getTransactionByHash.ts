import type { PoolEntry } from '../../../pool/entry.ts'
import { hash } from '../../codecs/bytes.ts'
import type { Encoder } from '../../codecs/codec.ts'
import { nullable } from '../../codecs/nullable.ts'
import { pendingTransactionObject } from '../../objects/pendingTransaction.ts'
import { type PlacedTx, transactionObject } from '../../objects/transaction.ts'
import { method, param } from '../../protocol/method.ts'

const either: Encoder<PlacedTx | PoolEntry> = {
  schema: { oneOf: [transactionObject.schema, pendingTransactionObject.schema] },
  encode: (found) => ('block' in found ? transactionObject.encode(found) : pendingTransactionObject.encode(found)),
}

export const eth_getTransactionByHash = method({
  name: 'eth_getTransactionByHash',
  doc: 'Returns a transaction by hash, from the pool or the canonical chain; null if it is unknown.',
  needs: ['chain', 'pool'],
  params: [param('hash', hash)],
  fixedCount: true,
  result: nullable(either),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain, pool }, [wanted]) {
    const pending = pool.get(wanted)
    if (pending) return pending
    const place = chain.findTx(wanted)
    const block = place && chain.headerAt(place.blockNumber)
    return block && { tx: chain.transactionAt(block.hash, place.index)!, block, index: place.index }
  },
})
