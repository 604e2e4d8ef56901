import type { PoolEntry } from '../../../pool/entry.ts'
import { boolean } from '../../codecs/boolean.ts'
import { hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

const entryObject = record<PoolEntry>('pool entry', (member) => [
  member('hash', hash, (entry) => entry.hash),
  member('isReceivedFromLocalSource', boolean, ({ local }) => local),
  member('addedToPoolAt', text, ({ addedAt }) => new Date(addedAt).toISOString()),
])

export const txpool_besuTransactions = method({
  name: 'txpool_besuTransactions',
  doc: 'Returns the hashes of all transactions in the pool, with their source (local or remote) and the time they were added.',
  needs: ['pool'],
  params: [],
  result: listEncoder(entryObject),
  handler: ({ pool }) => [...pool.entries()],
})
