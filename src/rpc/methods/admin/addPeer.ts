import { boolean } from '../../codecs/boolean.ts'
import { enodeUrl, exampleEnode, withAddress } from '../../codecs/enodeUrl.ts'
import { peerErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const admin_addPeer = method({
  name: 'admin_addPeer',
  doc: 'Adds a static peer, to which the node connects in the background and stays connected. Returns false if it was added before.',
  needs: ['peers'],
  params: [param('enode', enodeUrl)],
  fixedCount: true,
  result: boolean,
  example: [exampleEnode],
  errors: peerErrors,
  async handler({ peers }, [given]) {
    const enode = await withAddress(given, peers)
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    // Besu returns true, and keeps a peer that it never dials.
    if (!peers.permits(enode)) throw new RpcError({ code: 'PEER_NOT_PERMITTED' })
    const added = peers.add(enode)
    if (added === undefined) throw new RpcError({ code: 'PEER_IS_SELF' })
    return added
  },
})
