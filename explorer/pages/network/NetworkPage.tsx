import { Card } from '../../parts/Card.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { BlockTable } from '../block/BlockTable.tsx'
import { Charts } from './Charts.tsx'
import { HeadCard } from './HeadCard.tsx'
import { NodeCard } from './NodeCard.tsx'
import { Peers } from './Peers.tsx'
import { useRecentBlocks } from './useRecentBlocks.ts'
import { Validators } from './Validators.tsx'

const listed = 8

/** The network at a glance. */
export function NetworkPage() {
  const { blocks, error } = useRecentBlocks()
  const latest = blocks?.slice(-listed).reverse()
  return (
    <>
      <h1 class="visually-hidden">Network</h1>
      <HeadCard block={blocks?.at(-1)} />
      {error && <Failed error={error} what="The last blocks" />}
      <Charts blocks={blocks} />
      <Validators blocks={blocks} />
      <div class="columns">
        <Card title="Latest blocks" side={<a href="#/blocks">All blocks</a>}>
          <BlockTable blocks={latest} expected={listed} />
        </Card>
        <NodeCard />
      </div>
      <Peers />
    </>
  )
}
