import { boolean } from '../../codecs/boolean.ts'
import { method, param } from '../../protocol/method.ts'

export const anvil_autoImpersonateAccount = method({
  name: 'anvil_autoImpersonateAccount',
  doc: 'Sets whether eth_sendTransaction accepts transactions of all accounts without a signature.',
  needs: ['dev'],
  params: [param('on', boolean)],
  result: boolean,
  example: [true],
  handler({ dev }, [on]) {
    dev.setImpersonatedAll(on)
    return true
  },
})
