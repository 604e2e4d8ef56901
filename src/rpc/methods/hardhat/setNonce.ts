import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setNonce = method({
  name: 'hardhat_setNonce',
  doc: 'Sets the nonce of an account. The change is a block of its own.',
  needs: ['dev'],
  params: [param('address', address), param('nonce', quantity)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x10'],
  handler({ dev }, [account, nonce]) {
    dev.edit({ address: account, nonce })
    return true
  },
})
