import { placedReceipts } from '../../blocks/placedReceipts.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { showBlock } from '../../blocks/showBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { index } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockPageObject } from '../../objects/slimBlock.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_getBlockTransactions = method({
  name: 'ots_getBlockTransactions',
  doc: 'Returns a page of the transactions of a block with their receipts, without logs and with the selectors of inputs only; page 0 has the last ones. Null if there is no such block.',
  needs: ['chain'],
  params: [param('block', blockNumber), param('page', index), param('pageSize', pageSize)],
  result: nullable(blockPageObject),
  errors: tagErrors,
  example: ['latest', 0, 25],
  handler({ chain }, [wanted, page, size]) {
    const found = findHeader(chain, wanted)
    const block = found && showBlock(chain, found.hash, false)
    const receipts = found && placedReceipts(chain, found)
    if (!block || !receipts) return undefined
    const end = Math.max(0, receipts.length - page * size)
    return { block, receipts: receipts.slice(Math.max(0, end - size), end) }
  },
})
