import type { TokenHolder } from '../../../chain/tokens/tokenView.ts'
import type { Address } from '../../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../../primitives/u256.ts'
import { pageOf, takePage } from '../../blocks/page.ts'
import { requireTokens, tokenErrors } from '../../blocks/requireTokens.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { cursor, cursorOf } from '../../codecs/cursor.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { standard } from '../../codecs/tokens.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const tokenHolder = record<TokenHolder>('holder', (member) => [
  member('address', address, ({ holder }) => holder),
  member('balance', quantity, ({ balance }) => balance),
])

const cursorBehind = ({ balance, holder }: TokenHolder) => cursorOf(balance, bytesToBigInt(holder))

function readCursor([balance, holder]: readonly bigint[]): TokenHolder {
  return { balance: balance!, holder: bigIntToFixed(BigInt.asUintN(160, holder!), 20) as Address }
}

export const quoin_getTokenHolders = method({
  name: 'quoin_getTokenHolders',
  doc: 'Returns the accounts that hold a token at the head, as its transfers add up, a page at a time, the largest balance first: amounts of ERC-20, numbers of items of ERC-721, amounts of all items of ERC-1155.',
  needs: ['chain'],
  params: [
    param('address', address),
    param('standard', standard),
    param('pageSize', pageSize),
    optionalParam('after', cursor(2)),
  ],
  result: pageOf('holders', tokenHolder),
  errors: tokenErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'ERC-20', 25],
  handler({ chain }, [contract, kind, size, after]) {
    const entries = requireTokens(chain).holders({ address: contract, kind }, after && readCursor(after))
    return takePage(chain.head.header.number, entries, size, cursorBehind)
  },
})
