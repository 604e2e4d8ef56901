import { boolean } from '../../codecs/boolean.ts'
import { index } from '../../codecs/integer.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_revert = method({
  name: 'evm_revert',
  doc: 'Goes back to a snapshot, which is gone then, as are all later ones; returns false if there is no such snapshot.',
  needs: ['dev'],
  params: [param('snapshot', index)],
  result: boolean,
  example: ['0x1'],
  handler: ({ dev }, [snapshot]) => dev.revert(snapshot),
})
