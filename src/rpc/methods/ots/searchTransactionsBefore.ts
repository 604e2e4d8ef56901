import { pageObject, pageSize, searchBefore, searchErrors } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_searchTransactionsBefore = method({
  name: 'ots_searchTransactionsBefore',
  doc: 'Returns a page of the transactions in which an account appears before a block (0: up to the head), newest first: as sender, recipient, created contract, emitter of a log, or party of an ERC-20, ERC-721 or ERC-1155 transfer. All transactions of a block are on one page.',
  needs: ['chain'],
  params: [param('address', address), param('block', quantity), param('pageSize', pageSize)],
  result: pageObject,
  errors: searchErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 0, 25],
  handler: ({ chain }, [account, block, size]) => searchBefore(chain, account, block, size),
})
