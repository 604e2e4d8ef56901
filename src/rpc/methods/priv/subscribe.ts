import { equalBytes } from '../../../primitives/bytes.ts'
import { fromBase64 } from '../../../privacy/enclave/base64.ts'
import { privateLogsMethod } from '../../calls/privateMethod.ts'
import { anything } from '../../codecs/anything.ts'
import { filterOptions } from '../../codecs/filterOptions.ts'
import { quantity } from '../../codecs/quantity.ts'
import { matching } from '../../events/privateFilters.ts'
import { logObject } from '../../objects/log.ts'
import { RpcError } from '../../protocol/fault.ts'
import { optionalParam } from '../../protocol/method.ts'

/** Unlike elsewhere, invalid parameters are an invalid request. */
export const priv_subscribe = privateLogsMethod({
  name: 'priv_subscribe',
  doc: 'Subscribes to the logs of a group on this WebSocket. Returns the subscription id, which notifications contain.',
  needs: ['session'],
  params: [
    optionalParam('privacyGroupId', anything),
    optionalParam('kind', anything),
    optionalParam('options', anything),
  ],
  result: quantity,
  errors: [[-32600, 'The subscription type is unknown, or its options are invalid.']],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', 'logs', {}],
  handler({ privateLogs, session }, [id, kind, json]) {
    const group = typeof id === 'string' ? fromBase64(id) : undefined
    if (kind !== 'logs' || group?.length !== 32 || typeof json !== 'object')
      throw new RpcError({ code: 'INVALID_REQUEST' })
    const options = filterOptions.decode(json)
    return session.open((notify) =>
      privateLogs.onLogs((event) => {
        if (!equalBytes(event.group, group)) return
        for (const log of matching(event, options))
          notify('priv_subscription', '', `"privacyGroupId":${JSON.stringify(id)},"result":${logObject.encode(log)}`)
      }),
    )
  },
})
