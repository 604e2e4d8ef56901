import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { index } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { transactionObject } from '../../objects/transaction.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getTransactionByBlockNumberAndIndex = method({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  doc: 'Returns a transaction by block number and index; null if there is none.',
  needs: ['chain'],
  params: [param('block', blockNumber), param('index', index)],
  result: nullable(transactionObject),
  errors: tagErrors,
  example: ['latest', '0x0'],
  handler({ chain }, [block, at]) {
    const found = findHeader(chain, block)
    const tx = found && chain.transactionAt(found.hash, at)
    return tx && { tx, block: found, index: at }
  },
})
