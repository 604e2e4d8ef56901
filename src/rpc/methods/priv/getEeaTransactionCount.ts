import { fromBase64 } from '../../../privacy/enclave/base64.ts'
import { groupIdOf } from '../../../privacy/enclave/groupId.ts'
import { PrivacyError } from '../../../privacy/fault.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { address } from '../../codecs/bytes.ts'
import { list } from '../../codecs/list.ts'
import { quantity } from '../../codecs/quantity.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_getEeaTransactionCount = privateMethod({
  name: 'priv_getEeaTransactionCount',
  doc: 'Returns the number of private transactions from an account to the group of a sender and recipients, as of the head.',
  needs: [],
  params: [param('address', address), param('sender', text), param('recipients', list(text))],
  fixedCount: true,
  alsoIn: 'EEA',
  result: quantity,
  errors: [[-32000, 'The private state is behind the head.']],
  example: [
    '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73',
    'A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=',
    ['Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs='],
  ],
  handler({ privacy }, [account, sender, recipients]) {
    if (sender !== privacy.publicKey) throw new PrivacyError({ code: 'WRONG_PRIVATE_FROM' })
    const keys = [sender, ...recipients].map(fromBase64)
    if (keys.includes(undefined)) throw new RpcError({ code: 'PRIVATE_NONCE_UNKNOWN' })
    return privacy.nonceOf(groupIdOf(keys as Uint8Array[]), account)
  },
})
