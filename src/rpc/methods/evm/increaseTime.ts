import { index, integer } from '../../codecs/integer.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_increaseTime = method({
  name: 'evm_increaseTime',
  doc: 'Moves the time of the chain forward, in seconds; returns by how much it is ahead of the clock.',
  needs: ['dev'],
  params: [param('seconds', index)],
  result: integer,
  example: [60],
  handler: ({ dev }, [seconds]) => Number(dev.increaseTime(BigInt(seconds))),
})
