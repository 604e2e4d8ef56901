import type { Hex } from 'viem'
import type { Log, Transaction } from '../../data/objects.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { isPrivateMarker } from '../../decode/privateMarker.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { GroupLink, PrivateContractLink } from '../../parts/PrivateLinks.tsx'
import { Text } from '../../parts/Text.tsx'
import { Logs } from './Logs.tsx'
import { PrivateInput } from './PrivateInput.tsx'

interface PrivateTx {
  readonly from: Hex
  readonly to: Hex | null
  readonly privateFrom: string
  readonly privateFor?: readonly string[] | string
  readonly privacyGroupId?: string
  readonly restriction: string
  readonly input: Hex
}

interface PrivateReceipt {
  readonly status?: Hex
  readonly contractAddress: Hex | null
  readonly output: Hex
  readonly privacyGroupId?: string
  readonly logs: readonly Log[]
}

async function loadPrivate(ask: Ask, tx: Transaction) {
  if (!isPrivateMarker(tx)) return undefined
  const [inner, receipt] = await Promise.all([
    ask<PrivateTx | null>('priv_getPrivateTransaction', [tx.hash]),
    ask<PrivateReceipt | null>('priv_getTransactionReceipt', [tx.hash]),
  ])
  return { inner, receipt }
}

/** The private state has the contract; the public chain has nothing at its address. */
function Receiver({ group, address }: { group: string | undefined; address: Hex }) {
  return group ? <PrivateContractLink group={group} address={address} /> : <AddressLink address={address} full />
}

/** The private transaction behind a marker, for those who are party to it. */
export function PrivatePart({ tx }: { tx: Transaction }) {
  const { ask, node } = useSite()
  const { value, error } = useLoad(`private ${node.path} ${tx.hash}`, () => loadPrivate(ask, tx))
  if (error) return <Failed error={error} what="The private transaction" />
  if (!value) return null
  const { inner, receipt } = value
  if (!inner)
    return (
      <Card title="Private transaction">
        <Empty>
          This transaction marks a private one. This node is no party to it, so only the marker is seen here.
        </Empty>
      </Card>
    )
  const group = inner.privacyGroupId ?? receipt?.privacyGroupId
  const receivers = inner.privacyGroupId ?? [inner.privateFor ?? []].flat().join(', ')
  return (
    <>
      <Card title="Private transaction">
        <Facts>
          <Fact name="Status">
            {receipt?.status === '0x0' ? <span class="tag bad">failed</span> : <span class="tag good">succeeded</span>}
          </Fact>
          <Fact name="From">
            <AddressLink address={inner.from} full />
          </Fact>
          <Fact name="To">{inner.to ? <Receiver group={group} address={inner.to} /> : 'new contract'}</Fact>
          {group && (
            <Fact name="Group">
              <GroupLink id={group} />
            </Fact>
          )}
          <Fact name="Private from">
            <Text value={inner.privateFrom} code max={100} />
          </Fact>
          <Fact name="Private for">
            <Text value={receivers} code max={400} />
          </Fact>
          {receipt?.contractAddress && (
            <Fact name="Contract">
              <Receiver group={group} address={receipt.contractAddress} />
            </Fact>
          )}
        </Facts>
      </Card>
      <PrivateInput to={inner.to} input={inner.input} />
      {receipt && receipt.logs.length > 0 && (
        <Logs logs={receipt.logs} block={tx.blockNumber ?? 'latest'} group={group} title="Private logs" />
      )}
    </>
  )
}
