import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const net_enode = method({
  name: 'net_enode',
  doc: 'Returns the enode URL of this node.',
  needs: ['peers'],
  params: [],
  result: text,
  errors: [[-32000, 'P2P is disabled or not running yet.']],
  handler({ peers }) {
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    const enode = peers.enode()
    if (enode === undefined) throw new RpcError({ code: 'P2P_NOT_RUNNING' })
    return enode
  },
})
