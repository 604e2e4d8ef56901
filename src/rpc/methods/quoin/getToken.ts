import type { TokenSummary } from '../../../chain/tokens/tokenView.ts'
import { requireTokens, tokenErrors } from '../../blocks/requireTokens.ts'
import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { count, quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { signedQuantity, standard } from '../../codecs/tokens.ts'
import { method, param } from '../../protocol/method.ts'

const summary = record<TokenSummary>('summary', (member) => [
  member('standard', standard, ({ kind }) => kind),
  member('transfers', count, ({ transfers }) => transfers),
  member('holders', count, ({ holders }) => holders),
  member('overdrawn', count, ({ overdrawn }) => overdrawn),
  member('supply', signedQuantity, ({ supply }) => supply),
])

interface Token {
  readonly block: bigint
  readonly standards: readonly TokenSummary[]
}

const token = record<Token>('token', (member) => [
  member('block', quantity, ({ block }) => block),
  member('standards', listEncoder(summary), ({ standards }) => standards),
])

export const quoin_getToken = method({
  name: 'quoin_getToken',
  doc: 'Returns what the transfers in the logs of a contract add up to at the head, for each standard of such events that it emitted: their number, accounts with a balance above zero (`holders`) and below zero (`overdrawn`: there are none unless balances changed without events), and what came from the zero address and did not go back (`supply`). What the contract itself says may be something else.',
  needs: ['chain'],
  params: [param('address', address)],
  result: token,
  errors: tokenErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler: ({ chain }, [contract]) => ({
    block: chain.head.header.number,
    standards: requireTokens(chain).summaries(contract),
  }),
})
