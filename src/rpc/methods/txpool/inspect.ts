import type { PoolEntry } from '../../../pool/entry.ts'
import { toHex } from '../../../primitives/hex.ts'
import { maxGasPriceOf } from '../../../types/transaction.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

type BySender = ReadonlyMap<string, ReadonlyMap<string, string>>

function summary({ tx }: PoolEntry): string {
  const to = tx.to ? toHex(tx.to) : 'contract creation'
  return `${to}: ${tx.value} wei + ${tx.gasLimit} gas × ${maxGasPriceOf(tx)} wei`
}

function summaries(entries: readonly PoolEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [String(entry.tx.nonce), summary(entry)]))
}

const inspection = record<{ pending: BySender; queued: BySender }>('pool summary', (member) => [
  member('pending', dictionary(dictionary(text)), ({ pending }) => pending),
  member('queued', dictionary(dictionary(text)), ({ queued }) => queued),
])

/** As in geth. */
export const txpool_inspect = method({
  name: 'txpool_inspect',
  doc: 'Returns a one-line summary of all transactions in the pool by sender and nonce.',
  needs: ['pool'],
  params: [],
  result: inspection,
  handler({ pool }) {
    const contents = [...pool.content()]
    const part = (kind: 'pending' | 'queued'): BySender =>
      new Map(contents.filter((one) => one[kind].length).map((one) => [toHex(one.sender), summaries(one[kind])]))
    return { pending: part('pending'), queued: part('queued') }
  },
})
