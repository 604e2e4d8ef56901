import { nothing } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { devErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_setNextBlockTimestamp = method({
  name: 'evm_setNextBlockTimestamp',
  doc: 'Sets the timestamp of the next block, in seconds since 1970; the time of the chain goes on from there.',
  needs: ['dev'],
  params: [param('timestamp', quantity)],
  result: nothing,
  errors: devErrors,
  example: [4_000_000_000],
  handler({ dev }, [timestamp]) {
    dev.setNextTimestamp(timestamp)
    return undefined
  },
})
