import { encodeRlp } from '../../../primitives/rlp.ts'
import { encodeReceipt, type Receipt } from '../../../types/receipt.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** A receipt as it stands in a list of them: one of a newer type is a byte string there. */
function listed(receipt: Receipt): Uint8Array {
  const bytes = encodeReceipt(receipt)
  return receipt.type === 0 ? bytes : encodeRlp(bytes)
}

export const debug_getRawReceipts = method({
  name: 'debug_getRawReceipts',
  doc: 'RLP of each receipt of a block, as in a list: those of typed transactions are byte strings.',
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
