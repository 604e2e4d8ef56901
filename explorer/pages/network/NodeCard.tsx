import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

interface NodeState {
  readonly version: string
  readonly chainId: Hex
  readonly peers: Hex | undefined
  readonly pool: { readonly pending: Hex; readonly queued: Hex } | undefined
  readonly syncing: false | { readonly currentBlock: Hex; readonly highestBlock: Hex }
}

async function loadState(ask: Ask): Promise<NodeState> {
  // Peers and pool are left out where their namespaces are not served.
  const optional = <T,>(method: string) => ask<T>(method).catch(() => undefined)
  const [version, chainId, syncing, peers, pool] = await Promise.all([
    ask<string>('web3_clientVersion').catch(() => 'not told'),
    ask<Hex>('eth_chainId'),
    ask<NodeState['syncing']>('eth_syncing'),
    optional<Hex>('net_peerCount'),
    optional<NonNullable<NodeState['pool']>>('txpool_status'),
  ])
  return { version, chainId, syncing, peers, pool }
}

function Sync({ syncing }: { syncing: NodeState['syncing'] }) {
  if (!syncing) return <>In sync</>
  const behind = Number(syncing.highestBlock) - Number(syncing.currentBlock)
  return <>{formatCount(behind)} blocks behind</>
}

function Pool({ pool }: { pool: NodeState['pool'] }) {
  if (!pool) return <span class="soft">not served (TXPOOL)</span>
  return (
    <>
      {formatCount(Number(pool.pending))} pending, {formatCount(Number(pool.queued))} queued
    </>
  )
}

/** The shown node: what it runs, its peers, its pool, whether it is in sync. */
export function NodeCard() {
  const { ask, node, namespaces } = useSite()
  const { number } = useHead()
  const { value, error } = useLoad(`node ${node.path}`, () => loadState(ask), number)
  if (error) return <Failed error={error} what="The state of the node" />
  return (
    <Card title="Node">
      <Facts>
        <Fact name="Name">{node.name}</Fact>
        <Fact name="Program">{value ? <Text value={value.version} max={80} /> : <Waiting />}</Fact>
        <Fact name="Chain id">
          {value ? <span class="number">{BigInt(value.chainId).toString()}</span> : <Waiting />}
        </Fact>
        <Fact name="Peers">
          {!value ? (
            <Waiting />
          ) : value.peers ? (
            formatCount(Number(value.peers))
          ) : (
            <span class="soft">{namespaces.has('NET') ? 'P2P is off' : 'not served (NET)'}</span>
          )}
        </Fact>
        <Fact name="Pool">{value ? <Pool pool={value.pool} /> : <Waiting />}</Fact>
        <Fact name="Sync">{value ? <Sync syncing={value.syncing} /> : <Waiting />}</Fact>
      </Facts>
    </Card>
  )
}
