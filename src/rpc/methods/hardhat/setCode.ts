import { boolean } from '../../codecs/boolean.ts'
import { address, data } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setCode = method({
  name: 'hardhat_setCode',
  doc: 'Sets the code of an account. The change is a block of its own.',
  needs: ['dev'],
  params: [param('address', address), param('code', data)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x00'],
  handler({ dev }, [account, code]) {
    dev.edit({ address: account, code })
    return true
  },
})
