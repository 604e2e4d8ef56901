import type { Decoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { listEncoder } from '../../codecs/list.ts'
import { pendingFilter } from '../../codecs/pendingFilter.ts'
import { pendingTransactionObject } from '../../objects/pendingTransaction.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const limit: Decoder<number> = {
  schema: { ...integer.schema, minimum: 0 },
  decode(json) {
    const value = integer.decode(json)
    if (value < 0) throw invalidParams('the limit must not be negative')
    return value
  },
}

export const txpool_besuPendingTransactions = method({
  name: 'txpool_besuPendingTransactions',
  doc: 'Returns the transactions in the pool that match a filter, up to a limit.',
  needs: ['pool'],
  params: [param('limit', limit), optionalParam('filter', pendingFilter)],
  result: listEncoder(pendingTransactionObject),
  example: [10, { gas: { lt: '0x100000' } }],
  handler({ pool }, [max, fits]) {
    const found = []
    for (const entry of pool.entries()) {
      if (found.length >= max) break
      if (!fits || fits(entry)) found.push(entry)
    }
    return found
  },
})
