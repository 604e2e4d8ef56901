import { pageObject, pageSize, searchAfter, searchErrors } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_searchTransactionsAfter = method({
  name: 'ots_searchTransactionsAfter',
  doc: 'Returns a page as ots_searchTransactionsBefore does, of the transactions after a block (0: from the genesis block on).',
  needs: ['chain'],
  params: [param('address', address), param('block', quantity), param('pageSize', pageSize)],
  result: pageObject,
  errors: searchErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 0, 25],
  handler: ({ chain }, [account, block, size]) => searchAfter(chain, account, block, size),
})
