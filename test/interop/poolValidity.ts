import type { RpcNode } from './rpcNode.ts'

interface PendingTx {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly gas: string
  readonly gasPrice: string
  readonly maxFeePerGas?: string
  readonly value: string
  readonly input: string
}

const transferGas = 21_000n
/** Longest code that may create a contract, since Shanghai. */
const maxInitCode = 49_152
const maxPending = 100_000

/** Looks for a pending transaction that no block may hold; says what is wrong with it. */
export async function findInvalidTx(node: RpcNode): Promise<string | undefined> {
  const pending = await node.call<PendingTx[]>('txpool_besuPendingTransactions', maxPending, {})
  const senders = new Map<string, { readonly balance: bigint; readonly nonce: bigint }>()
  for (const { from } of pending)
    if (!senders.has(from))
      senders.set(from, {
        balance: BigInt(await node.call<string>('eth_getBalance', from, 'latest')),
        nonce: BigInt(await node.call<string>('eth_getTransactionCount', from, 'latest')),
      })
  for (const { hash, from, to, nonce, gas, gasPrice, maxFeePerGas, value, input } of pending) {
    const sender = senders.get(from)!
    const faults = [
      BigInt(nonce) < sender.nonce && 'its nonce was used',
      BigInt(gas) < transferGas && 'its gas is not enough',
      BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice) > sender.balance && 'it exceeds the balance',
      to === null && (input.length - 2) / 2 > maxInitCode && 'its code is too long',
    ]
    const fault = faults.find(Boolean)
    if (fault) return `the pool holds ${hash}: ${fault}`
  }
  return undefined
}
