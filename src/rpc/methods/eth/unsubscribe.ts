import { boolean } from '../../codecs/boolean.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

const anything = { schema: { title: 'subscription id', type: 'string' }, decode: (json: unknown) => json }

export const eth_unsubscribe = method({
  name: 'eth_unsubscribe',
  doc: 'Ends a subscription of this WebSocket. Returns true.',
  needs: ['session'],
  params: [optionalParam('id', anything)],
  result: boolean,
  errors: [
    [-32000, 'Subscription not found on this connection.'],
    [-32600, 'The id is not hexadecimal.'],
  ],
  example: ['0x1'],
  always: true,
  handler({ session }, [id]) {
    const digits = typeof id === 'string' ? /^(?:0x)?([0-9a-fA-F]{1,32})$/.exec(id)?.[1] : undefined
    if (digits === undefined) throw new RpcError({ code: 'INVALID_REQUEST' })
    if (!session.unsubscribe(BigInt(`0x${digits}`))) throw new RpcError({ code: 'SUBSCRIPTION_NOT_FOUND' })
    return true
  },
})
