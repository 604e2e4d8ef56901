import type { TokenKind } from '../../../chain/tokens/tokenEvents.ts'
import type { RankedToken } from '../../../chain/tokens/tokenView.ts'
import type { Address } from '../../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../../primitives/u256.ts'
import { pageOf, takePage } from '../../blocks/page.ts'
import { requireTokens, tokenErrors } from '../../blocks/requireTokens.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { address } from '../../codecs/bytes.ts'
import { cursor, cursorOf } from '../../codecs/cursor.ts'
import { count } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { standard } from '../../codecs/tokens.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const rankedToken = record<RankedToken>('token', (member) => [
  member('address', address, (one) => one.address),
  member('standard', standard, ({ kind }) => kind),
  member('transfers', count, ({ transfers }) => transfers),
])

const cursorBehind = (token: RankedToken) => cursorOf(token.transfers, token.kind, bytesToBigInt(token.address))

function readCursor([transfers, kind, contract]: readonly bigint[]): RankedToken {
  return {
    transfers: Number(transfers),
    kind: Number(kind) as TokenKind,
    address: bigIntToFixed(BigInt.asUintN(160, contract!), 20) as Address,
  }
}

export const quoin_getTokens = method({
  name: 'quoin_getTokens',
  doc: 'Returns the contracts that emitted events of ERC-20, ERC-721 or ERC-1155, a page at a time, those with the most transfers first. A contract with events of several standards has an entry for each.',
  needs: ['chain'],
  params: [param('pageSize', pageSize), optionalParam('after', cursor(3))],
  result: pageOf('tokens', rankedToken),
  errors: tokenErrors,
  example: [25],
  handler({ chain }, [size, after]) {
    const entries = requireTokens(chain).ranked(after && readCursor(after))
    return takePage(chain.head.header.number, entries, size, cursorBehind)
  },
})
