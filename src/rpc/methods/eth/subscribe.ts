import { anything } from '../../codecs/anything.ts'
import { quantity } from '../../codecs/quantity.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

/** Unlike elsewhere, invalid parameters are an invalid request. */
export const eth_subscribe = method({
  name: 'eth_subscribe',
  doc:
    'Subscribes to newHeads, logs, newPendingTransactions, droppedPendingTransactions or syncing on this connection. ' +
    'Returns the subscription id, which notifications contain. Transactions come whole with `{"includeTransactions": true}`, and those of ' +
    'newPendingTransactions with `true`, in the form of geth.',
  needs: ['session'],
  params: [optionalParam('kind', anything), optionalParam('options', anything)],
  result: quantity,
  errors: [
    [-32600, 'The subscription type is unknown, or its options are invalid.'],
    [-32005, 'The connection has 1,000 subscriptions, or all connections have `--rpc-ws-max-active-subscriptions`.'],
  ],
  example: ['newHeads'],
  always: true,
  handler({ session }, [kind, options]) {
    if (typeof kind !== 'string') throw new RpcError({ code: 'INVALID_REQUEST' })
    return session.subscribe(kind, options)
  },
})
