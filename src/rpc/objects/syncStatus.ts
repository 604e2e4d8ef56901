import type { SnapProgress } from '../../sync/snap/snapSync.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Encoder } from '../codecs/codec.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

const snapObject = record<SnapProgress>('snap progress', (member) => [
  member('stage', text, ({ stage }) => stage),
  member('header', quantity, ({ header }) => header),
  member('percent', quantity, ({ share }) => BigInt(Math.floor(100 * share))),
])

const progress = record<SyncStatus>('progress', (member) => [
  member('startingBlock', quantity, ({ startingBlock }) => startingBlock),
  member('currentBlock', quantity, ({ currentBlock }) => currentBlock),
  member('highestBlock', quantity, ({ highestBlock }) => highestBlock),
  member.optional('snap', snapObject, ({ snap }) => snap),
])

/** Sync progress, or `false` if the node is in sync. */
export const syncStatus: Encoder<SyncStatus | undefined> = {
  schema: { oneOf: [boolean.schema, progress.schema] },
  encode: (status) => (status ? progress.encode(status) : 'false'),
}
