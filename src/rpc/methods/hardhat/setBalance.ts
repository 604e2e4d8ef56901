import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { wei } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setBalance = method({
  name: 'hardhat_setBalance',
  doc: 'Sets the balance of an account. The change is a block of its own.',
  needs: ['dev'],
  params: [param('address', address), param('wei', wei)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0xde0b6b3a7640000'],
  handler({ dev }, [account, balance]) {
    dev.edit({ address: account, balance })
    return true
  },
})
