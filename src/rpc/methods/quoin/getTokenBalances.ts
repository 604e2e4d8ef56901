import type { TokenKind } from '../../../chain/tokens/tokenEvents.ts'
import type { TokenBalance, TokenId } from '../../../chain/tokens/tokenView.ts'
import type { Address } from '../../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../../primitives/u256.ts'
import { pageOf, takePage } from '../../blocks/page.ts'
import { requireTokens, tokenErrors } from '../../blocks/requireTokens.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { cursor, cursorOf } from '../../codecs/cursor.ts'
import { record } from '../../codecs/record.ts'
import { signedQuantity, standard } from '../../codecs/tokens.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const tokenBalance = record<TokenBalance>('balance', (member) => [
  member('address', address, (one) => one.address),
  member('standard', standard, ({ kind }) => kind),
  member('balance', signedQuantity, ({ balance }) => balance),
])

const cursorBehind = (token: TokenId) => cursorOf(token.kind, bytesToBigInt(token.address))

function readCursor([kind, contract]: readonly bigint[]): TokenId {
  return { kind: Number(kind) as TokenKind, address: bigIntToFixed(BigInt.asUintN(160, contract!), 20) as Address }
}

export const quoin_getTokenBalances = method({
  name: 'quoin_getTokenBalances',
  doc: 'Returns what an account has of each token at the head, as transfers add up, a page at a time in the order of contracts: amounts of ERC-20, numbers of items of ERC-721, amounts of all items of ERC-1155. A balance is below zero where the events of a token are not all of the truth.',
  needs: ['chain'],
  params: [param('account', address), param('pageSize', pageSize), optionalParam('after', cursor(2))],
  result: pageOf('balances', tokenBalance),
  errors: tokenErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 25],
  handler({ chain }, [account, size, after]) {
    const entries = requireTokens(chain).balances(account, after && readCursor(after))
    return takePage(chain.head.header.number, entries, size, cursorBehind)
  },
})
