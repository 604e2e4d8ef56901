import type { SyncStatus } from '../../sync/syncStatus.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Encoder } from '../codecs/codec.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'

const progress = record<SyncStatus>('progress', (member) => [
  member('startingBlock', quantity, ({ startingBlock }) => startingBlock),
  member('currentBlock', quantity, ({ currentBlock }) => currentBlock),
  member('highestBlock', quantity, ({ highestBlock }) => highestBlock),
])

/** Sync progress, or `false` if the node is in sync. */
export const syncStatus: Encoder<SyncStatus | undefined> = {
  schema: { oneOf: [boolean.schema, progress.schema] },
  encode: (status) => (status ? progress.encode(status) : 'false'),
}
