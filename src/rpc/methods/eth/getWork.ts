import { nothing } from '../../codecs/nullable.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const eth_getWork = method({
  name: 'eth_getWork',
  doc: 'Always returns an error: the node does not mine by proof of work.',
  needs: [],
  params: [],
  result: nothing,
  errors: [[-32000, 'No mining work available yet.']],
  handler() {
    throw new RpcError({ code: 'NO_MINING_WORK' })
  },
})
