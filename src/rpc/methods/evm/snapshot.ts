import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const evm_snapshot = method({
  name: 'evm_snapshot',
  doc: 'Remembers the chain, the pool and the time as they are; returns the number of the snapshot for evm_revert.',
  needs: ['dev'],
  params: [],
  result: count,
  handler: ({ dev }) => dev.snapshot(),
})
