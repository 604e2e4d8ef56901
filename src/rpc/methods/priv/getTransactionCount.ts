import { fromBase64 } from '../../../privacy/enclave/base64.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { address } from '../../codecs/bytes.ts'
import { groupText } from '../../codecs/groupParam.ts'
import { quantity } from '../../codecs/quantity.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_getTransactionCount = privateMethod({
  name: 'priv_getTransactionCount',
  doc: 'Returns the number of private transactions from an account to a group, as of the head.',
  needs: [],
  params: [param('address', address), param('privacyGroupId', groupText)],
  outsider: 'PRIVATE_NONCE_UNKNOWN',
  fixedCount: true,
  result: quantity,
  errors: [[-32000, 'The private state is behind the head.']],
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w='],
  handler({ privacy }, [sender, id]) {
    const group = fromBase64(id)
    if (group?.length !== 32) throw new RpcError({ code: 'PRIVATE_NONCE_UNKNOWN' })
    return privacy.nonceOf(group, sender)
  },
})
