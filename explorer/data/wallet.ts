import type { Hex } from 'viem'

/** A wallet that the browser puts into the page (EIP-1193). */
interface Wallet {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** The wallet of this browser, undefined if there is none. */
export function findWallet(): Wallet | undefined {
  return (globalThis as { ethereum?: Wallet }).ethereum
}

export const noWallet =
  'There is no wallet in this browser: install one (EIP-1193), or send the transaction by other means.'

/** Has the wallet sign and send a transaction to a contract; the hash of it. */
export async function sendByWallet(chainId: Hex, to: Hex, data: Hex, value: Hex): Promise<Hex> {
  const wallet = findWallet()
  if (!wallet) throw new Error(noWallet)
  const [from] = (await wallet.request({ method: 'eth_requestAccounts' })) as readonly Hex[]
  if (!from) throw new Error('The wallet offers no account.')
  const its = (await wallet.request({ method: 'eth_chainId' })) as Hex
  if (BigInt(its) !== BigInt(chainId))
    throw new Error(
      `The wallet is on chain ${BigInt(its)}, this node on chain ${BigInt(chainId)}: switch the wallet first.`,
    )
  return (await wallet.request({ method: 'eth_sendTransaction', params: [{ from, to, data, value }] })) as Hex
}
