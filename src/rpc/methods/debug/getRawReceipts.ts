import { encodeRlp } from '../../../primitives/rlp.ts'
import { encodeReceipt, type Receipt } from '../../../types/receipt.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** A receipt as an item of an RLP list: a typed one is a byte string. */
function listed(receipt: Receipt): Uint8Array {
  const bytes = encodeReceipt(receipt)
  return receipt.type === 0 ? bytes : encodeRlp(bytes)
}

export const debug_getRawReceipts = method({
  name: 'debug_getRawReceipts',
  doc: 'Returns the receipts of a block as RLP, those of typed transactions wrapped in a byte string.',
  needs: ['chain'],
  params: [param('block', blockRef)],
  result: listEncoder(data),
  errors: blockErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const receipts = chain.receipts(requireHeader(chain, block).hash)
    if (!receipts) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return receipts.map(listed)
  },
})
