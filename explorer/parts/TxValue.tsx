import { decodeFunctionData, type Hex } from 'viem'
import type { Transaction } from '../data/objects.ts'
import { erc20 } from '../decode/knownAbis.ts'
import { Ether } from './Amount.tsx'
import { AmountOf, useToken } from './TokenParts.tsx'

/** How much of its receiver's token a transaction asks to move; undefined if it does not. */
function movedBy({ to, input }: Transaction): { readonly token: Hex; readonly amount: bigint } | undefined {
  if (!to || !/^0x(a9059cbb.{128}|23b872dd.{192})$/.test(input)) return undefined
  try {
    const { args } = decodeFunctionData({ abi: erc20, data: input })
    return { token: to, amount: args?.at(-1) as bigint }
  } catch {
    return undefined
  }
}

/** What a transaction sends: ether, or an amount of a token. */
export function TxValue({ tx }: { tx: Transaction }) {
  const moved = tx.value === '0x0' ? movedBy(tx) : undefined
  return moved ? <Moved {...moved} /> : <Ether wei={BigInt(tx.value)} />
}

function Moved({ token, amount }: { token: Hex; amount: bigint }) {
  const about = useToken(token)
  // Items (ERC-721) have no decimals: then the number is one of an item, and nothing of it is an amount.
  if (about?.decimals === undefined) return <Ether wei={0n} />
  return <AmountOf address={token} standard="ERC-20" amount={amount} />
}
