import { useState } from 'preact/hooks'
import type { AbiFunction, Hex } from 'viem'
import { abiOf } from '../../data/abiStore.ts'
import { erc20 } from '../../decode/knownAbis.ts'
import { AbiForm } from '../../parts/AbiForm.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { CallForm } from './CallForm.tsx'

const isRead = ({ stateMutability }: AbiFunction) => stateMutability === 'view' || stateMutability === 'pure'
const keyOf = ({ name, inputs }: AbiFunction) => `${name}(${inputs.map(({ type }) => type).join()})`

/** Functions of a contract to call: reading asks the node, writing asks the browser's wallet. */
export function ContractCalls({ address, block }: { address: Hex; block: string }) {
  const [version, setVersion] = useState(0)
  const own = abiOf(address)
  const functions = (own ?? erc20).filter((item) => item.type === 'function')
  const reads = functions.filter(isRead)
  const writes = functions.filter((item) => !isRead(item))
  return (
    <>
      <Card
        title="ABI"
        side={<span class="soft">{own ? 'yours, kept in this browser' : 'not given: ERC-20 is assumed'}</span>}
      >
        <AbiForm address={address} onKept={() => setVersion(version + 1)} />
      </Card>
      <div class="columns even" key={version}>
        <Card title="Read">
          {reads.length === 0 && <Empty>This ABI has no functions that read.</Empty>}
          {reads.map((item) => (
            <CallForm key={keyOf(item)} address={address} block={block} item={item} writes={false} />
          ))}
        </Card>
        <Card title="Write">
          {writes.length === 0 && <Empty>This ABI has no functions that write.</Empty>}
          {writes.map((item) => (
            <CallForm key={keyOf(item)} address={address} block={block} item={item} writes />
          ))}
        </Card>
      </div>
    </>
  )
}
