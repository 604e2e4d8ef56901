import { encodeTx } from '../../../types/encodeTx.ts'
import { rawTransactionAt } from '../../blocks/rawTransactionAt.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu; geth's form. */
export const eth_getRawTransactionByHash = method({
  name: 'eth_getRawTransactionByHash',
  doc:
    'Returns a transaction by hash, from the pool or the canonical chain, in the bytes that eth_sendRawTransaction takes; of a blob ' +
    'transaction without the blobs. `0x` if it is unknown.',
  needs: ['chain', 'pool'],
  params: [param('hash', hash)],
  result: data,
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain, pool }, [wanted]) {
    const pending = pool.get(wanted)
    if (pending) return encodeTx(pending.tx)
    const place = chain.findTx(wanted)
    return rawTransactionAt(chain, place && chain.hashAt(place.blockNumber), place?.index ?? 0)
  },
})
