import { rawTransactionAt } from '../../blocks/rawTransactionAt.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { index } from '../../codecs/integer.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu; geth's form. */
export const eth_getRawTransactionByBlockHashAndIndex = method({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  doc: 'Returns the bytes of a transaction by block hash and index; `0x` if there is none.',
  needs: ['chain'],
  params: [param('hash', hash), param('index', index)],
  result: data,
  example: [`0x${'ab'.repeat(32)}`, '0x0'],
  handler: ({ chain }, [block, at]) => rawTransactionAt(chain, block, at),
})
