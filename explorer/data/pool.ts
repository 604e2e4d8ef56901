import type { Hex } from 'viem'
import { type SenderFacts, waitReason } from '../decode/waitReason.ts'
import type { Transaction } from './objects.ts'
import type { Ask } from './rpc.ts'

/** A transaction in the pool; queued ones miss an earlier nonce. */
export interface PooledTx {
  readonly tx: Transaction
  readonly queued: boolean
}

type ByNonce = Readonly<Record<string, Transaction>>
type BySender = Readonly<Record<Hex, ByNonce>>

const listOf = (txs: ByNonce, queued: boolean): readonly PooledTx[] =>
  Object.values(txs)
    .map((tx) => ({ tx, queued }))
    .sort((a, b) => Number(a.tx.nonce) - Number(b.tx.nonce))

/** All of the pool, those that miss a nonce first. */
export async function loadPool(ask: Ask): Promise<readonly PooledTx[]> {
  const { pending, queued } = await ask<{ pending: BySender; queued: BySender }>('txpool_content')
  return [
    ...Object.values(queued).flatMap((txs) => listOf(txs, true)),
    ...Object.values(pending).flatMap((txs) => listOf(txs, false)),
  ]
}

/** The transactions of one sender. */
export async function loadPoolOf(ask: Ask, sender: string): Promise<readonly PooledTx[]> {
  const { pending, queued } = await ask<{ pending: ByNonce; queued: ByNonce }>('txpool_contentFrom', [sender])
  return [...listOf(queued, true), ...listOf(pending, false)]
}

/** What is known of the senders of some transactions, by address in lower case. */
export async function loadSenders(ask: Ask, txs: readonly PooledTx[]): Promise<ReadonlyMap<string, SenderFacts>> {
  const senders = [...new Set(txs.map(({ tx }) => tx.from.toLowerCase() as Hex))]
  const { baseFeePerGas } = await ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false])
  const facts = await Promise.all(
    senders.map(async (sender) => {
      const [next, balance, own] = await Promise.all([
        ask<Hex>('eth_getTransactionCount', [sender, 'latest']),
        ask<Hex>('eth_getBalance', [sender, 'latest']),
        loadPoolOf(ask, sender),
      ])
      const known = new Set(own.map(({ tx }) => Number(tx.nonce)))
      const baseFee = baseFeePerGas === undefined ? undefined : BigInt(baseFeePerGas)
      return [sender, { next: Number(next), known, balance: BigInt(balance), baseFee }] as const
    }),
  )
  return new Map(facts)
}

/** Of a transaction that nothing keeps back. */
export const nextBlock = 'the next block may take it'

/** Why a transaction is not in a block yet, in words. */
export function reasonOf(
  { tx, queued }: PooledTx,
  senders: ReadonlyMap<string, SenderFacts> | undefined,
): string | undefined {
  const facts = senders?.get(tx.from.toLowerCase())
  if (!facts) return undefined
  return waitReason(tx, facts) ?? (queued ? 'an earlier one of its sender waits' : nextBlock)
}
