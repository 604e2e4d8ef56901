import { useState } from 'preact/hooks'
import type { Abi, Hex } from 'viem'
import { abiOf, abiTextOf } from '../../data/abiStore.ts'
import { contracts } from '../../data/contracts.ts'
import { findWallet, noWallet } from '../../data/wallet.ts'
import { functionsOf, signatureOf } from '../../decode/functionsOf.ts'
import { erc20 } from '../../decode/knownAbis.ts'
import { shorten } from '../../format/shorten.ts'
import { AbiForm } from '../../parts/AbiForm.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { ReadForm, WriteForm } from './CallForms.tsx'

/** Where the functions that are shown come from. */
function originOf(address: Hex, block: string): { readonly abi: Abi | undefined; readonly origin: string } {
  const own = abiOf(address)
  if (own) return { abi: own, origin: originOfOwn(address) }
  const proxy = contracts.proxy(address, block)
  const behind = proxy && abiOf(proxy.implementation)
  if (behind) return { abi: behind, origin: `of the implementation ${shorten(proxy.implementation)}` }
  return { abi: undefined, origin: 'not given: ERC-20 is assumed' }
}

function originOfOwn(address: Hex): string {
  if (abiTextOf(address)) return 'yours, kept in this browser'
  return contracts.of(address)?.match ? 'of verified sources' : 'given for everybody, without sources'
}

/** Functions of a contract to call: reading asks the node, writing asks the browser's wallet. */
export function ContractCalls({ address, block }: { address: Hex; block: string }) {
  const [version, setVersion] = useState(0)
  const { abi, origin } = originOf(address, block)
  const implementation = contracts.proxy(address, block)?.implementation
  const behind = implementation && abiOf(implementation)
  return (
    <>
      <Card title="ABI" side={<span class="soft">{origin}</span>}>
        <AbiForm address={address} onKept={() => setVersion(version + 1)} />
      </Card>
      <Functions key={`${version} ${abi === undefined}`} address={address} block={block} abi={abi ?? erc20} />
      {behind && behind !== abi && (
        <>
          <h2>Functions of the implementation {shorten(implementation)}</h2>
          <Functions address={address} block={block} abi={behind} of=" of the implementation" />
        </>
      )}
    </>
  )
}

function Functions({ address, block, abi, of = '' }: { address: Hex; block: string; abi: Abi; of?: string }) {
  const { reads, writes } = functionsOf(abi)
  return (
    <div class="columns even">
      <Card title={`Read${of}`}>
        {reads.length === 0 && <Empty>This ABI has no functions that read.</Empty>}
        {reads.map((item) => (
          <ReadForm key={signatureOf(item)} address={address} block={block} item={item} />
        ))}
      </Card>
      <Card title={`Write${of}`}>
        {writes.length === 0 && <Empty>This ABI has no functions that write.</Empty>}
        {writes.length > 0 && !findWallet() && <p class="soft">{noWallet}</p>}
        {writes.map((item) => (
          <WriteForm key={signatureOf(item)} address={address} block={block} item={item} />
        ))}
      </Card>
    </div>
  )
}
