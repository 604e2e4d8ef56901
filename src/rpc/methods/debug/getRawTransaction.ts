import { encodeRlp } from '../../../primitives/rlp.ts'
import { encodeTx } from '../../../types/encodeTx.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_getRawTransaction = method({
  name: 'debug_getRawTransaction',
  doc: 'Returns a mined transaction as RLP, a typed one wrapped in a byte string; null if there is none.',
  needs: ['chain'],
  params: [param('transaction', hash)],
  result: nullable(data),
  example: [`0x${'00'.repeat(32)}`],
  handler({ chain }, [wanted]) {
    const place = chain.findTx(wanted)
    const block = place && chain.hashAt(place.blockNumber)
    const tx = block && chain.transactionAt(block, place.index)
    if (!tx) return undefined
    return tx.type === 0 ? encodeTx(tx) : encodeRlp(encodeTx(tx))
  },
})
