import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setCoinbase = method({
  name: 'hardhat_setCoinbase',
  doc: 'Sets the account that gets the fees of the blocks.',
  needs: ['dev', 'mining'],
  params: [param('address', address)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler({ mining }, [account]) {
    mining.setCoinbase?.(account)
    return true
  },
})
