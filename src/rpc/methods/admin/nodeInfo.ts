import type { ChainView } from '../../../chain/view.ts'
import { chainConfigOf } from '../../blocks/chainConfig.ts'
import { hash } from '../../codecs/bytes.ts'
import type { Encoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { record } from '../../codecs/record.ts'
import { json, text } from '../../codecs/text.ts'
import type { NodeInfo } from '../../protocol/context.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

interface Shown extends NodeInfo {
  readonly name: string
  readonly networkId: bigint
  readonly chain: ChainView
}

/** A JSON number of any size. */
const plainNumber: Encoder<bigint> = { schema: { type: 'integer' }, encode: String }

const ports = record<Shown>('ports', (member) => [
  member.optional('discovery', integer, ({ discoveryPort }) => discoveryPort),
  member.optional('listener', integer, ({ listenerPort }) => listenerPort),
])

const eth = record<Shown>('eth', (member) => [
  member('config', json<object>({ type: 'object' }), ({ chain }) => chainConfigOf(chain.spec)),
  member('difficulty', plainNumber, ({ chain }) => chain.totalDifficulty(chain.head.hash)!),
  member('genesis', hash, ({ chain }) => chain.hashAt(0n)!),
  member('head', hash, ({ chain }) => chain.head.hash),
  member('network', plainNumber, ({ networkId }) => networkId),
])

const protocols = record<Shown>('protocols', (member) => [member('eth', eth, (info) => info)])

const nodeInfo = record<Shown>('node info', (member) => [
  member('enode', text, ({ enode }) => enode),
  member.optional('listenAddr', text, ({ listenAddress }) => listenAddress),
  member('ip', text, ({ ip }) => ip),
  member('name', text, ({ name }) => name),
  member('id', text, ({ id }) => Buffer.from(id).toString('hex')),
  member('ports', ports, (info) => info),
  member('protocols', protocols, (info) => info),
  // Not in Besu 23.10.
  member('activeFork', text, ({ chain }) => titleOf(chain.rulesOf(chain.head.header).fork)),
])

/** The name of a fork as people write it: tangerineWhistle is Tangerine Whistle. */
function titleOf(fork: string): string {
  return fork.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase())
}

export const admin_nodeInfo = method({
  name: 'admin_nodeInfo',
  doc: 'Returns information about this node: client version, enode URL, node ID, ports, chain, head and its fork.',
  needs: ['chain', 'client', 'peers'],
  params: [],
  result: nodeInfo,
  errors: [[-32000, 'P2P is disabled.']],
  handler({ chain, client, peers }) {
    if (!peers) throw new RpcError({ code: 'P2P_DISABLED' })
    return { ...peers.nodeInfo(), name: client.version, networkId: client.networkId, chain }
  },
})
