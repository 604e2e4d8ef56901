import type { Hex } from 'viem'
import { useSite } from '../data/session.ts'
import type { Standard } from '../data/tokenLists.ts'
import { loadToken, type Token } from '../data/tokens.ts'
import { useLoad } from '../data/useLoad.ts'
import { checksummed } from '../format/checksummed.ts'
import { shorten } from '../format/shorten.ts'
import { TokenAmount } from './Amount.tsx'
import { Text } from './Text.tsx'

/** What a token says about itself, once that is known. */
export function useToken(address: Hex): Token | undefined {
  const { ask } = useSite()
  return useLoad(`token ${address}`, () => loadToken(ask, address)).value
}

/** A token by its symbol, or its address where it has none. */
export function TokenLink({ address }: { address: Hex }) {
  const token = useToken(address)
  return (
    <a href={`#/token/${address}`} title={address} data-value={`${token?.symbol ?? ''} ${address}`.trim()}>
      {token?.symbol ? (
        <Text value={token.symbol} max={24} />
      ) : (
        <span class="mono">{shorten(checksummed(address))}</span>
      )}
    </a>
  )
}

/** An amount of a token, or a number of its items. */
export function AmountOf({
  address,
  standard,
  amount,
  bare = false,
}: {
  address: Hex
  standard: Standard
  amount: bigint
  /** Without the symbol, where it stands beside. */
  bare?: boolean | undefined
}) {
  const token = useToken(address)
  const decimals = standard === 'ERC-20' ? (token?.decimals ?? 0) : 0
  return <TokenAmount amount={amount} decimals={decimals} symbol={bare ? undefined : token?.symbol} />
}

/** An amount in the units of a token, in front of the number itself; nothing where it has no decimals. */
export function InUnits({ address, amount }: { address: Hex; amount: bigint }) {
  const token = useToken(address)
  if (token?.decimals === undefined) return null
  return (
    <>
      <TokenAmount amount={amount} decimals={token.decimals} symbol={token.symbol} />{' '}
    </>
  )
}

/** An item of a token. */
export function ItemId({ id }: { id: bigint }) {
  return (
    <span data-value={String(id)}>
      <Text value={`#${id}`} max={24} />
    </span>
  )
}

/** What moved: an amount, an item, or an amount of an item. */
export function MovedAmount({
  address,
  standard,
  amount,
  id,
  bare,
}: {
  address: Hex
  standard: Standard
  amount: bigint | undefined
  id: bigint | undefined
  bare?: boolean
}) {
  return (
    <span class="pair">
      {amount !== undefined && <AmountOf {...{ address, standard, amount }} bare={bare} />}
      {id !== undefined && <ItemId id={id} />}
    </span>
  )
}

/** A sum of events with what the contract says, where that is something else. */
export function CheckedAmount({
  address,
  standard,
  amount,
  said,
  bare = false,
}: {
  address: Hex
  standard: Standard
  amount: bigint
  /** Undefined while it is not known, or where the contract does not answer. */
  said: bigint | undefined
  bare?: boolean
}) {
  if (said === undefined || said === amount)
    return <AmountOf address={address} standard={standard} amount={amount} bare={bare} />
  return (
    <span class="pair wraps">
      <span class="tag bad">by events</span>
      <AmountOf address={address} standard={standard} amount={amount} bare={bare} />
      <span class="tag bad">the contract says</span>
      <AmountOf address={address} standard={standard} amount={said} bare={bare} />
    </span>
  )
}

/** Says what a sum of events is worth where it cannot be all of the truth. */
export function UntrueNote({ what }: { what: string }) {
  return (
    <p class="failed" role="status">
      <strong>{what} do not explain its balances.</strong> What is listed here is what its transfers add up to; the
      contract gave, took or multiplied balances without events, or emitted events without balances.
    </p>
  )
}
