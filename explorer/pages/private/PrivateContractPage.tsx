import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { abiOf } from '../../data/abiStore.ts'
import { loadPrivateLogs } from '../../data/groups.ts'
import { useHead } from '../../data/head.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { functionsOf, signatureOf } from '../../decode/functionsOf.ts'
import { erc20 } from '../../decode/knownAbis.ts'
import { checksummed } from '../../format/checksummed.ts'
import { formatBytes } from '../../format/numbers.ts'
import { AbiForm } from '../../parts/AbiForm.tsx'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Hash } from '../../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { GroupLink } from '../../parts/PrivateLinks.tsx'
import { Code } from '../account/Code.tsx'
import { PrivateCall } from './PrivateCall.tsx'
import { PrivateLogs } from './PrivateLogs.tsx'

/** A contract in the private state of a group, as its members see it. */
export function PrivateContractPage({ group, address }: { group: string; address: Hex }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const shown = checksummed(address)
  const { value: code, error } = useLoad(
    `private code ${node.path} ${group} ${address}`,
    async () => (await ask<Hex | null>('priv_getCode', [group, address, 'latest'])) ?? '0x',
    head,
  )
  const logs = useLoad(
    `private logs ${node.path} ${group} ${address}`,
    async () => (head === undefined ? undefined : loadPrivateLogs(ask, group, head, address)),
    head,
  )
  const isContract = code !== undefined && code !== '0x'
  return (
    <>
      <header class="title">
        <h1>Private contract</h1>
        <Hash hex={shown} what="address" full />
      </header>
      {error && code === undefined ? (
        <Failed error={error} what="The private state" />
      ) : (
        <>
          <Card title="Overview">
            <Facts>
              <Fact name="Group">
                <GroupLink id={group} />
              </Fact>
              <Fact name="Code">
                {code === undefined ? (
                  <Waiting />
                ) : isContract ? (
                  formatBytes((code.length - 2) / 2)
                ) : (
                  'none in this group'
                )}
              </Fact>
              <Fact name="Public account">
                <a href={`#/address/${shown}`}>what the public chain has at this address</a>
              </Fact>
            </Facts>
          </Card>
          {isContract && <Reading group={group} address={shown} />}
          {logs.error && !logs.value ? (
            <Failed error={logs.error} what="The events" />
          ) : (
            <PrivateLogs group={group} logs={logs.value} />
          )}
          {isContract && <Code code={code} />}
        </>
      )}
    </>
  )
}

function Reading({ group, address }: { group: string; address: Hex }) {
  const [version, setVersion] = useState(0)
  const own = abiOf(address)
  const { reads } = functionsOf(own ?? erc20)
  return (
    <Card title="Read" side={<span class="soft">{own ? 'with your ABI' : 'no ABI given: ERC-20 is assumed'}</span>}>
      <AbiForm address={address} onKept={() => setVersion(version + 1)} />
      <div key={version}>
        {reads.length === 0 && <Empty>This ABI has no functions that read.</Empty>}
        {reads.map((item) => (
          <PrivateCall key={signatureOf(item)} group={group} address={address} item={item} />
        ))}
      </div>
    </Card>
  )
}
