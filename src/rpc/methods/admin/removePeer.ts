import { boolean } from '../../codecs/boolean.ts'
import { enodeUrl, exampleEnode, withAddress } from '../../codecs/enodeUrl.ts'
import { peerErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const admin_removePeer = method({
  name: 'admin_removePeer',
  doc: 'Disconnects from a peer and removes it from the static peers. Returns false if it was neither connected nor static.',
  needs: ['peers'],
  params: [param('enode', enodeUrl)],
  fixedCount: true,
  result: boolean,
  example: [exampleEnode],
  errors: peerErrors,
  async handler({ peers }, [given]) {
    const enode = await withAddress(given, peers)
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    return peers.remove(enode)
  },
})
