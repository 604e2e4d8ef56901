import type { Hex } from 'viem'
import type { Log, Transaction } from '../../data/objects.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Text } from '../../parts/Text.tsx'
import { Logs } from './Logs.tsx'

interface PrivateTx {
  readonly from: Hex
  readonly to: Hex | null
  readonly privateFrom: string
  readonly privateFor?: readonly string[] | string
  readonly privacyGroupId?: string
  readonly restriction: string
}

interface PrivateReceipt {
  readonly status?: Hex
  readonly contractAddress: Hex | null
  readonly output: Hex
  readonly logs: readonly Log[]
}

async function loadPrivate(ask: Ask, tx: Transaction) {
  const precompile = await ask<Hex>('priv_getPrivacyPrecompileAddress')
  if (tx.to?.toLowerCase() !== precompile.toLowerCase()) return undefined
  const [inner, receipt] = await Promise.all([
    ask<PrivateTx | null>('priv_getPrivateTransaction', [tx.hash]),
    ask<PrivateReceipt | null>('priv_getTransactionReceipt', [tx.hash]),
  ])
  return { inner, receipt }
}

/** The private transaction behind a marker, for those who are party to it. */
export function PrivatePart({ tx }: { tx: Transaction }) {
  const { ask } = useSite()
  const { value } = useLoad(`private ${tx.hash}`, () => loadPrivate(ask, tx))
  if (!value) return null
  const { inner, receipt } = value
  if (!inner)
    return (
      <Card title="Private transaction">
        <p class="empty">
          This transaction marks a private one. This node is no party to it, so only the marker is seen here.
        </p>
      </Card>
    )
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
          <Fact name="To">{inner.to ? <AddressLink address={inner.to} full /> : 'new contract'}</Fact>
          <Fact name="Private from">
            <Text value={inner.privateFrom} code max={100} />
          </Fact>
          <Fact name="Private for">
            <Text value={receivers} code max={400} />
          </Fact>
          {receipt?.contractAddress && (
            <Fact name="Contract">
              <AddressLink address={receipt.contractAddress} full />
            </Fact>
          )}
        </Facts>
      </Card>
      {receipt && receipt.logs.length > 0 && <Logs logs={receipt.logs} title="Private logs" />}
    </>
  )
}
