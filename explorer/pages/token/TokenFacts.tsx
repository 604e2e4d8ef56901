import { type Hex, hexToBigInt } from 'viem'
import { useSite } from '../../data/session.ts'
import { readSupply } from '../../data/tokenChecks.ts'
import { readSigned, type TokenSummary } from '../../data/tokenLists.ts'
import type { Token } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'
import { CheckedAmount, UntrueNote } from '../../parts/TokenParts.tsx'

interface Loaded {
  readonly block: Hex
  readonly standards: readonly TokenSummary[]
}

/** What a token says of itself beside what its transfers add up to. */
export function TokenFacts({
  address,
  token,
  loaded,
  error,
  served,
}: {
  address: Hex
  token: Token | undefined
  loaded: Loaded | undefined
  error: Error | undefined
  served: boolean
}) {
  const { ask, node } = useSite()
  const { value } = useLoad(
    `supply ${node.path} ${address} ${loaded !== undefined}`,
    async () => (loaded ? { supply: await readSupply(ask, address, loaded.block), of: loaded } : undefined),
    loaded?.block,
  )
  // While the supply of a newer block is asked for, that of the one before stands beside the sums of that one.
  const shown = value?.of.standards ?? loaded?.standards
  const isUntrue = shown?.some(
    ({ standard, overdrawn, supply }) =>
      hexToBigInt(overdrawn) > 0n ||
      (standard === 'ERC-20' && value?.supply !== undefined && value.supply !== readSigned(supply)),
  )
  return (
    <Card title="Overview">
      {isUntrue && <UntrueNote what="The events of this token" />}
      <Facts>
        <Fact name="Contract">
          <AddressLink address={address} full />
        </Fact>
        <Fact name="Symbol">{token ? <Text value={token.symbol ?? 'none'} max={24} /> : <Waiting />}</Fact>
        <Fact name="Decimals">{token ? (token.decimals ?? 'none') : <Waiting />}</Fact>
        {!served && (
          <Fact name="Transfers">
            <Empty>Tokens are counted when the node serves the namespace OTS.</Empty>
          </Fact>
        )}
        {error && (
          <Fact name="Transfers">
            <Failed error={error} what="The sum of transfers" />
          </Fact>
        )}
        {shown?.length === 0 && <Fact name="Transfers">none so far</Fact>}
        {shown?.map((summary) => (
          <Summary key={summary.standard} address={address} summary={summary} supply={value?.supply} />
        ))}
        {served && !error && !shown && (
          <Fact name="Supply">
            <Waiting />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

const supplyNames: Readonly<Record<TokenSummary['standard'], string>> = {
  'ERC-20': 'Total supply',
  'ERC-721': 'Items (ERC-721)',
  'ERC-1155': 'Amounts (ERC-1155)',
}

function Summary({
  address,
  summary: { standard, supply, holders, transfers, overdrawn },
  supply: said,
}: {
  address: Hex
  summary: TokenSummary
  supply: bigint | undefined
}) {
  const below = hexToBigInt(overdrawn)
  return (
    <Fact name={supplyNames[standard]}>
      <CheckedAmount
        address={address}
        standard={standard}
        amount={readSigned(supply)}
        said={standard === 'ERC-20' ? said : undefined}
      />{' '}
      <span class="soft number">
        {formatCount(hexToBigInt(holders))} holders, {formatCount(hexToBigInt(transfers))} transfers
        {below > 0n && `, ${formatCount(below)} accounts below zero`}
      </span>
    </Fact>
  )
}
