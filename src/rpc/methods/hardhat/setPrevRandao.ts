import { boolean } from '../../codecs/boolean.ts'
import { hash } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setPrevRandao = method({
  name: 'hardhat_setPrevRandao',
  doc: 'Sets the PREVRANDAO of the next block.',
  needs: ['dev'],
  params: [param('value', hash)],
  result: boolean,
  example: [`0x${'1'.padStart(64, '0')}`],
  handler({ dev }, [value]) {
    dev.setNextPrevRandao(value)
    return true
  },
})
