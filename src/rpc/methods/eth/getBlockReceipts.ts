import { placedReceipts } from '../../blocks/placedReceipts.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { listEncoder } from '../../codecs/list.ts'
import { receiptObject } from '../../objects/receipt.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBlockReceipts = method({
  name: 'eth_getBlockReceipts',
  doc: 'Returns the receipts of all transactions of a block.',
  needs: ['chain'],
  params: [param('block', blockRef)],
  result: listEncoder(receiptObject),
  errors: blockErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const receipts = placedReceipts(chain, requireHeader(chain, block))
    if (!receipts) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return receipts
  },
})
