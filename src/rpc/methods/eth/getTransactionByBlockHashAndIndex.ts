import { hash } from '../../codecs/bytes.ts'
import { index } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { transactionObject } from '../../objects/transaction.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getTransactionByBlockHashAndIndex = method({
  name: 'eth_getTransactionByBlockHashAndIndex',
  doc: 'Returns a transaction by block hash and index; null if there is none.',
  needs: ['chain'],
  params: [param('hash', hash), param('index', index)],
  result: nullable(transactionObject),
  example: [`0x${'ab'.repeat(32)}`, '0x0'],
  handler({ chain }, [blockHash, at]) {
    const found = chain.headerBy(blockHash)
    const tx = found && chain.transactionAt(found.hash, at)
    return tx && { tx, block: found, index: at }
  },
})
