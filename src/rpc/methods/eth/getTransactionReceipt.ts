import { placedReceipt } from '../../blocks/placedReceipts.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { receiptObject } from '../../objects/receipt.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getTransactionReceipt = method({
  name: 'eth_getTransactionReceipt',
  doc: 'Returns the receipt of a mined transaction; null if there is none.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(receiptObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain }, [wanted]) {
    const place = chain.findTx(wanted)
    const block = place && chain.headerAt(place.blockNumber)
    return block && placedReceipt(chain, block, place.index)
  },
})
