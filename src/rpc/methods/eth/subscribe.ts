import { quantity } from '../../codecs/quantity.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

const anything = { schema: {}, decode: (json: unknown) => json }

/** Unlike elsewhere, bad parameters make an invalid request. */
export const eth_subscribe = method({
  name: 'eth_subscribe',
  doc:
    'Follows newHeads, logs, newPendingTransactions, droppedPendingTransactions or syncing over this WebSocket; the id ' +
    'that notifications carry.',
  needs: ['session'],
  params: [optionalParam('kind', anything), optionalParam('options', anything)],
  result: quantity,
  errors: [[-32600, 'There is no such kind, or its options are wrong.']],
  example: ['newHeads'],
  always: true,
  handler({ session }, [kind, options]) {
    if (typeof kind !== 'string') throw new RpcError({ code: 'INVALID_REQUEST' })
    return session.subscribe(kind, options)
  },
})
