import { type Page, pageOf } from '../../blocks/page.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { type PlacedTransfer, searchTransfers, type TransferQuery } from '../../blocks/searchTransfers.ts'
import { timesOf } from '../../blocks/timesOf.ts'
import { address, hash } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { cursor } from '../../codecs/cursor.ts'
import { integer } from '../../codecs/integer.ts'
import { decodeObject, optionalMember } from '../../codecs/jsonObject.ts'
import { count, quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { standard } from '../../codecs/tokens.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

type TimedTransfer = PlacedTransfer & { readonly timestamp: number }

const tokenTransfer = record<TimedTransfer>('transfer', (member) => [
  member('blockNumber', quantity, ({ log }) => log.blockNumber),
  member('timestamp', integer, ({ timestamp }) => timestamp),
  member('transactionHash', hash, ({ log }) => log.txHash),
  member('logIndex', count, ({ log }) => log.logIndex),
  member('position', count, ({ position }) => position),
  member('address', address, ({ log }) => log.address),
  member('standard', standard, ({ kind }) => kind),
  member('from', address, ({ from }) => from),
  member('to', address, ({ to }) => to),
  member.optional('id', quantity, ({ item }) => item),
  member.optional('amount', quantity, ({ amount }) => amount),
])

const transferQuery: Decoder<TransferQuery> = {
  schema: {
    title: 'transfer query',
    type: 'object',
    properties: { token: address.schema, account: address.schema },
  },
  decode(json) {
    const object = decodeObject(json)
    return { token: optionalMember(object, 'token', address), account: optionalMember(object, 'account', address) }
  },
}

export const quoin_getTokenTransfers = method({
  name: 'quoin_getTokenTransfers',
  doc: 'Returns transfers of ERC-20, ERC-721 and ERC-1155 in logs, newest first, a page at a time: of one `token`, from and to one `account`, of both, or all. `position` counts the transfers of one log, of which a batch has several. A page may have fewer than were asked for although there are more.',
  needs: ['chain'],
  params: [param('query', transferQuery), param('pageSize', pageSize), optionalParam('before', cursor(3))],
  result: pageOf('transfers', tokenTransfer),
  example: [{ account: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73' }, 25],
  alike: ([query]) => Object.keys((query ?? {}) as object).join(),
  handler({ chain }, [query, size, before]): Page<TimedTransfer> {
    const page = searchTransfers(chain, query, size, before)
    const timeOf = timesOf(chain)
    return { ...page, entries: page.entries.map((one) => ({ ...one, timestamp: timeOf(one.log) })) }
  },
})
