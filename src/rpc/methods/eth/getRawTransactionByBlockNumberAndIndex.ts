import { rawTransactionAt } from '../../blocks/rawTransactionAt.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { index } from '../../codecs/integer.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu; geth's form. */
export const eth_getRawTransactionByBlockNumberAndIndex = method({
  name: 'eth_getRawTransactionByBlockNumberAndIndex',
  doc: 'Returns the bytes of a transaction by block number and index; `0x` if there is none.',
  needs: ['chain'],
  params: [param('block', blockNumber), param('index', index)],
  result: data,
  errors: tagErrors,
  example: ['latest', '0x0'],
  handler: ({ chain }, [block, at]) => rawTransactionAt(chain, findHeader(chain, block)?.hash, at),
})
