import { boolean } from '../../codecs/boolean.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { listEncoder } from '../../codecs/list.ts'
import { count, quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import type { ConnectedPeer } from '../../protocol/context.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

const network = record<ConnectedPeer>('network', (member) => [
  member('localAddress', text, ({ localAddress }) => localAddress),
  member('remoteAddress', text, ({ remoteAddress }) => remoteAddress),
  // Not in Besu 23.10.
  member('inbound', boolean, ({ inbound }) => inbound),
])

const eth = record<ConnectedPeer['eth']>('eth', (member) => [
  member('difficulty', quantity, ({ totalDifficulty }) => totalDifficulty),
  member('head', hash, ({ head }) => head),
  member('version', integer, ({ version }) => version),
])

const protocols = record<ConnectedPeer>('protocols', (member) => [member('eth', eth, (peer) => peer.eth)])

const peer = record<ConnectedPeer>('peer', (member) => [
  member('version', count, ({ version }) => version),
  member('name', text, ({ clientId }) => clientId),
  member('caps', listEncoder(text), ({ capabilities }) => capabilities),
  member('network', network, (peer) => peer),
  member('port', count, ({ port }) => port),
  member('id', data, ({ id }) => id),
  member('protocols', protocols, (peer) => peer),
  member('enode', text, ({ enode }) => enode),
])

export const admin_peers = method({
  name: 'admin_peers',
  doc: 'Returns the connected peers, with the best known block of each.',
  needs: ['peers'],
  params: [],
  result: listEncoder(peer),
  errors: [[-32000, 'P2P is disabled.']],
  handler({ peers }) {
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    return peers.list()
  },
})
