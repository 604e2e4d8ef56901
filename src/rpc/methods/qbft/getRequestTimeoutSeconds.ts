import { integer } from '../../codecs/integer.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const qbft_getRequestTimeoutSeconds = method({
  name: 'qbft_getRequestTimeoutSeconds',
  doc: 'Returns the timeout of round 0 in seconds; each round change doubles the timeout.',
  needs: ['qbft'],
  params: [],
  result: integer,
  handler({ qbft }) {
    if (qbft.requestTimeout === undefined) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
    return qbft.requestTimeout
  },
})
