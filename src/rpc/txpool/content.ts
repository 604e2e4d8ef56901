import type { PoolEntry } from '../../pool/entry.ts'
import { toHex } from '../../primitives/hex.ts'
import { dictionary, record } from '../codecs/record.ts'
import { method } from '../method.ts'
import { pooledTransactionObject } from '../objects/pooledTransaction.ts'

type ByNonce = ReadonlyMap<string, PoolEntry>
type BySender = ReadonlyMap<string, ByNonce>

/** Transactions of one sender by nonce. */
export function byNonce(entries: readonly PoolEntry[]): ByNonce {
  return new Map(entries.map((entry) => [String(entry.tx.nonce), entry]))
}

export const entriesByNonce = dictionary(pooledTransactionObject)

const contentObject = record<{ pending: BySender; queued: BySender }>('pool content', (member) => [
  member('pending', dictionary(entriesByNonce), ({ pending }) => pending),
  member('queued', dictionary(entriesByNonce), ({ queued }) => queued),
])

/** As in geth. */
export const txpool_content = method({
  name: 'txpool_content',
  doc: 'All transactions of the pool by sender and nonce: those that can be mined at once, and those that wait.',
  needs: ['pool'],
  params: [],
  result: contentObject,
  handler({ pool }) {
    const pending = new Map<string, ByNonce>()
    const queued = new Map<string, ByNonce>()
    for (const content of pool.content()) {
      if (content.pending.length) pending.set(toHex(content.sender), byNonce(content.pending))
      if (content.queued.length) queued.set(toHex(content.sender), byNonce(content.queued))
    }
    return { pending, queued }
  },
})
