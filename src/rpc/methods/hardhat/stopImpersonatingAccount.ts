import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_stopImpersonatingAccount = method({
  name: 'hardhat_stopImpersonatingAccount',
  doc: 'Undoes hardhat_impersonateAccount.',
  needs: ['dev'],
  params: [param('address', address)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler({ dev }, [account]) {
    dev.setImpersonated(account, false)
    return true
  },
})
