import { useNow } from '../../data/clock.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { shorten } from '../../format/shorten.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'

interface Peer {
  readonly id: string
  readonly name: string
  readonly network: { readonly remoteAddress: string }
}

const refreshSeconds = 10

/** Peers of the node, where ADMIN is served. */
export function Peers() {
  const { ask, namespaces, node } = useSite()
  const turn = Math.floor(useNow() / refreshSeconds)
  if (!namespaces.has('ADMIN')) return null
  return <PeerList ask={ask} name={node.path} turn={turn} />
}

function PeerList({ ask, name, turn }: { ask: ReturnType<typeof useSite>['ask']; name: string; turn: number }) {
  const { value, error } = useLoad(`peers ${name}`, () => ask<readonly Peer[]>('admin_peers'), turn)
  const rows = value?.map((peer) => ({
    key: peer.id,
    cells: [
      <Text key="name" value={peer.name} max={60} />,
      <span key="address" class="mono">
        <Text value={peer.network.remoteAddress} max={60} />
      </span>,
      <span key="id" class="mono" title={peer.id}>
        {shorten(peer.id)}
      </span>,
    ],
  }))
  const columns = [{ title: 'Program' }, { title: 'Address' }, { title: 'Node id', minor: true }]
  return (
    <Card title="Peers">
      {error ? (
        <Failed error={error} what="The list of peers" />
      ) : rows?.length === 0 ? (
        <Empty>This node has no peers.</Empty>
      ) : (
        <Table label="Peers" columns={columns} rows={rows} expected={3} />
      )}
    </Card>
  )
}
