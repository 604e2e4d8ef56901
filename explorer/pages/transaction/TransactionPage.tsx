import { useEffect } from 'preact/hooks'
import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import type { Receipt, Transaction } from '../../data/objects.ts'
import { remember } from '../../data/recent.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { shorten } from '../../format/shorten.ts'
import { Hash } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { CallTree } from './CallTree.tsx'
import { Input } from './Input.tsx'
import { Logs } from './Logs.tsx'
import { Overview } from './Overview.tsx'
import { PrivatePart } from './PrivatePart.tsx'
import { TokenTransfers } from './TokenTransfers.tsx'

/** A transaction with its receipt, null while it waits in the pool, and the time of its block. */
export interface WholeTx {
  readonly tx: Transaction
  readonly receipt: Receipt | null
  readonly timestamp: number | undefined
}

async function loadTx(ask: Ask, hash: string): Promise<WholeTx | null> {
  const [tx, receipt] = await Promise.all([
    ask<Transaction | null>('eth_getTransactionByHash', [hash]),
    ask<Receipt | null>('eth_getTransactionReceipt', [hash]),
  ])
  if (!tx) return null
  const block = tx.blockHash ? await ask<{ timestamp: Hex } | null>('eth_getBlockByHash', [tx.blockHash, false]) : null
  return { tx, receipt, timestamp: block ? Number(block.timestamp) : undefined }
}

/** A transaction: its outcome, what it asked for, what it did. */
export function TransactionPage({ hash }: { hash: string }) {
  const { ask, node, namespaces } = useSite()
  const { number } = useHead()
  const mined = useLoad(`tx ${node.path} ${hash}`, () => loadTx(ask, hash))
  const waits = mined.value === null || mined.value?.receipt === null
  const again = useLoad(
    `again ${node.path} ${hash} ${waits}`,
    async () => (waits ? loadTx(ask, hash) : undefined),
    waits && number,
  )
  const value = again.value ?? mined.value
  useEffect(() => {
    if (value) remember(`tx/${hash}`, `Transaction ${shorten(hash)}`)
  }, [value, hash])
  if (mined.error)
    return (
      <>
        <h1>Transaction</h1>
        <Failed error={mined.error} what="This transaction" />
      </>
    )
  if (value === null)
    return (
      <>
        <h1>Transaction</h1>
        <Empty>
          This node knows no transaction with the hash {shorten(hash, 18, 8)}. If it was just sent, it appears here as
          soon as it is known.
        </Empty>
      </>
    )
  const traced = value?.receipt && namespaces.has('DEBUG')
  return (
    <>
      <header class="title">
        <h1>Transaction</h1>
        <Hash hex={hash} what="transaction hash" full />
      </header>
      <Overview value={value} />
      {value?.receipt && <TokenTransfers logs={value.receipt.logs} />}
      {value && <Input tx={value.tx} />}
      {value && namespaces.has('PRIV') && <PrivatePart tx={value.tx} />}
      {value?.receipt && <Logs logs={value.receipt.logs} block={value.receipt.blockNumber} />}
      {traced && <CallTree key={hash} hash={hash as Hex} block={value.receipt!.blockNumber} />}
    </>
  )
}
