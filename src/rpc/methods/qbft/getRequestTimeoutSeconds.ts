import { integer } from '../../codecs/integer.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const qbft_getRequestTimeoutSeconds = method({
  name: 'qbft_getRequestTimeoutSeconds',
  doc: 'Seconds that the first round of a block may take; each further round has twice the time of the one before.',
  needs: ['qbft'],
  params: [],
  result: integer,
  handler({ qbft }) {
    if (qbft.requestTimeout === undefined) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
    return qbft.requestTimeout
  },
})
