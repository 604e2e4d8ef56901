import { privateLogsMethod } from '../../calls/privateMethod.ts'
import { anything } from '../../codecs/anything.ts'
import { boolean } from '../../codecs/boolean.ts'
import { RpcError } from '../../protocol/fault.ts'
import { optionalParam } from '../../protocol/method.ts'

export const priv_unsubscribe = privateLogsMethod({
  name: 'priv_unsubscribe',
  doc: 'Ends a subscription to the logs of a group on this WebSocket. Returns true.',
  needs: ['session'],
  params: [optionalParam('privacyGroupId', anything), optionalParam('id', anything)],
  result: boolean,
  errors: [
    [-32000, 'Subscription not found on this connection.'],
    [-32600, 'The id is not hexadecimal.'],
  ],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', '0x1'],
  handler({ session }, [, id]) {
    const digits = typeof id === 'string' ? /^(?:0x)?([0-9a-fA-F]{1,32})$/.exec(id)?.[1] : undefined
    if (digits === undefined) throw new RpcError({ code: 'INVALID_REQUEST' })
    if (!session.unsubscribe(BigInt(`0x${digits}`))) throw new RpcError({ code: 'SUBSCRIPTION_NOT_FOUND' })
    return true
  },
})
