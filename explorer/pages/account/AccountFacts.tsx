import { type Hex, keccak256 } from 'viem'
import { contracts } from '../../data/contracts.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { loadToken, type Token } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatBytes, formatCount } from '../../format/numbers.ts'
import { Ether } from '../../parts/Amount.tsx'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink, TxLink } from '../../parts/Links.tsx'
import { Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'
import { NameFact } from './NameForm.tsx'
import { MatchTag } from './Sources.tsx'

async function loadAccount(ask: Ask, address: Hex, block: string) {
  const [balance, nonce] = await Promise.all([
    ask<Hex>('eth_getBalance', [address, block]),
    ask<Hex>('eth_getTransactionCount', [address, block]),
  ])
  return { balance: BigInt(balance), nonce: Number(nonce) }
}

interface Creator {
  readonly hash: Hex
  readonly creator: Hex
}

/** Balance, nonce, and for contracts their size, creator and token. */
export function AccountFacts({
  address,
  block,
  code,
  fresh,
}: {
  address: Hex
  block: string
  code: Hex | undefined
  fresh: unknown
}) {
  const { ask, node, namespaces } = useSite()
  const { value, error } = useLoad(
    `account ${node.path} ${address} ${block}`,
    () => loadAccount(ask, address, block),
    fresh,
  )
  const isContract = code !== undefined && code !== '0x'
  const { value: about } = useLoad(`about ${node.path} ${address} ${isContract}`, async () => {
    if (!isContract) return undefined
    const [token, creator] = await Promise.all([
      loadToken(ask, address),
      namespaces.has('OTS') ? ask<Creator | null>('ots_getContractCreator', [address]).catch(() => null) : null,
    ])
    return { token, creator }
  })
  if (error) return <Failed error={error} what="The account at this block" />
  return (
    <Card title="Overview">
      <Facts>
        <NameFact address={address} />
        <Fact name="Balance">{value ? <Ether wei={value.balance} /> : <Waiting />}</Fact>
        <Fact name={isContract ? 'Nonce' : 'Transactions sent'}>
          {value ? <span class="number">{formatCount(value.nonce)}</span> : <Waiting />}
        </Fact>
        <Fact name="Code">
          {code === undefined ? <Waiting /> : isContract ? formatBytes((code.length - 2) / 2) : 'none'}
        </Fact>
        {isContract && namespaces.has('OTS') && (
          <Fact name="Created by">
            {!about ? (
              <Waiting />
            ) : about.creator ? (
              <>
                <AddressLink address={about.creator.creator} /> in <TxLink hash={about.creator.hash} />
              </>
            ) : (
              'genesis, or unknown'
            )}
          </Fact>
        )}
        {isContract && <ProxyFact address={address} block={block} />}
        {isContract && <SourcesFact address={address} code={code} />}
        {about?.token.symbol !== undefined && <TokenFact address={address} token={about.token} />}
      </Facts>
    </Card>
  )
}

/** Where a contract passes its calls on at this block. */
function ProxyFact({ address, block }: { address: Hex; block: string }) {
  const proxy = contracts.proxy(address, block)
  if (!proxy) return null
  const name = contracts.of(proxy.implementation)?.name
  return (
    <Fact name="Implementation">
      <AddressLink address={proxy.implementation} />{' '}
      {name && (
        <>
          <Text value={name} max={60} />{' '}
        </>
      )}
      <span class="tag">{proxy.kind}</span>
      {proxy.beacon && (
        <>
          {' '}
          at the beacon <AddressLink address={proxy.beacon} />
        </>
      )}
    </Fact>
  )
}

/** Whether the sources of a contract are known; at other blocks its code may have been another one. */
function SourcesFact({ address, code }: { address: Hex; code: Hex }) {
  const known = contracts.of(address)
  if (!known?.match) return null
  return (
    <Fact name="Sources">
      <MatchTag match={known.match} /> <a href={`#/address/${address}/code`}>show them</a>
      {keccak256(code) !== known.codeHash && <span class="bad-text"> The code at this block is another one.</span>}
    </Fact>
  )
}

function TokenFact({ address, token: { name, symbol, decimals } }: { address: Hex; token: Token }) {
  return (
    <Fact name="Token">
      <a href={`#/token/${address}`}>
        <Text value={name ?? ''} max={80} /> (<Text value={symbol ?? ''} max={24} />)
      </a>
      {decimals !== undefined && <span class="soft"> {decimals} decimals</span>}
    </Fact>
  )
}
