import { andThen } from '../../../primitives/andThen.ts'
import { mineOptions } from '../../codecs/mineOptions.ts'
import { text } from '../../codecs/text.ts'
import { devErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_mine = method({
  name: 'evm_mine',
  doc: 'Makes a block of the pending transactions, at a timestamp if one is given. An object may have `timestamp` and `blocks`.',
  needs: ['dev'],
  params: [param('options', mineOptions, { value: { blocks: 1 } })],
  result: text,
  errors: devErrors,
  example: [],
  handler: ({ dev }, [options]) => andThen(dev.mine(options), () => '0x0'),
})
