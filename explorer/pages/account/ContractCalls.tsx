import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Abi, AbiFunction, Hex } from 'viem'
import { abiOf, abiTextOf } from '../../data/abiStore.ts'
import { contracts } from '../../data/contracts.ts'
import { findWallet, noWallet } from '../../data/wallet.ts'
import { functionsOf, signatureOf } from '../../decode/functionsOf.ts'
import { erc20 } from '../../decode/knownAbis.ts'
import { formatCount } from '../../format/numbers.ts'
import { shorten } from '../../format/shorten.ts'
import { AbiForm } from '../../parts/AbiForm.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { ReadForm, WriteForm } from './CallForms.tsx'

const step = 50

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
        <Forms items={reads} form={(item) => <ReadForm address={address} block={block} item={item} />} />
      </Card>
      <Card title={`Write${of}`}>
        {writes.length === 0 && <Empty>This ABI has no functions that write.</Empty>}
        {writes.length > 0 && !findWallet() && <p class="soft">{noWallet}</p>}
        <Forms items={writes} form={(item) => <WriteForm address={address} block={block} item={item} />} />
      </Card>
    </div>
  )
}

/** Forms of functions, some at first: an ABI may have thousands. */
function Forms({ items, form }: { items: readonly AbiFunction[]; form: (item: AbiFunction) => ComponentChildren }) {
  const [shown, setShown] = useState(step)
  return (
    <>
      {items.slice(0, shown).map((item) => (
        <Fragment key={signatureOf(item)}>{form(item)}</Fragment>
      ))}
      {items.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + step)}>
          {formatCount(items.length - shown)} more functions
        </button>
      )}
    </>
  )
}
