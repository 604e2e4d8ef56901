import { blockRef } from '../codecs/blockRef.ts'
import { listEncoder } from '../codecs/list.ts'
import { RpcError } from '../fault.ts'
import { method, param } from '../method.ts'
import { receiptObject } from '../objects/receipt.ts'
import { placedReceipts } from '../placedReceipts.ts'
import { requireHeader } from '../resolveBlock.ts'
import { blockErrors } from './errors.ts'

export const eth_getBlockReceipts = method({
  name: 'eth_getBlockReceipts',
  doc: 'Receipts of all transactions of a block.',
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
