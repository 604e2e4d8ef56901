import type { HeldItem } from '../../../chain/tokens/tokenView.ts'
import { pageOf, takePage } from '../../blocks/page.ts'
import { requireTokens, tokenErrors } from '../../blocks/requireTokens.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { cursor, cursorOf } from '../../codecs/cursor.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { signedQuantity, standard } from '../../codecs/tokens.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const heldItem = record<HeldItem>('item', (member) => [
  member('id', quantity, ({ item }) => item),
  member('amount', signedQuantity, ({ amount }) => amount),
])

export const quoin_getTokenItems = method({
  name: 'quoin_getTokenItems',
  doc: 'Returns the items of an ERC-721 or ERC-1155 token that an account has at the head, as transfers add up, a page at a time in the order of their ids.',
  needs: ['chain'],
  params: [
    param('account', address),
    param('address', address),
    param('standard', standard),
    param('pageSize', pageSize),
    optionalParam('after', cursor(1)),
  ],
  result: pageOf('items', heldItem),
  errors: tokenErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x42699a7612a82f1d9c36148af9c77354759b210b', 'ERC-721', 25],
  handler({ chain }, [account, contract, kind, size, after]) {
    const behind = after && BigInt.asUintN(256, after[0]!)
    const entries = requireTokens(chain).items(account, { address: contract, kind }, behind)
    return takePage(chain.head.header.number, entries, size, ({ item }) => cursorOf(item))
  },
})
