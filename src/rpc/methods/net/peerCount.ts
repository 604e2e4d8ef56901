import { count } from '../../codecs/quantity.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const net_peerCount = method({
  name: 'net_peerCount',
  doc: 'Number of peers that the node is connected to.',
  needs: ['peers'],
  params: [],
  result: count,
  errors: [[-32000, 'The peer-to-peer network is off.']],
  handler({ peers }) {
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    return peers.count()
  },
})
