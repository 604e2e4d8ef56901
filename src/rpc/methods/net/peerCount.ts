import { count } from '../../codecs/quantity.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const net_peerCount = method({
  name: 'net_peerCount',
  doc: 'Returns the number of connected peers.',
  needs: ['peers'],
  params: [],
  result: count,
  errors: [[-32000, 'P2P is disabled.']],
  handler({ peers }) {
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    return peers.count()
  },
})
