import type { PlacedLog } from '../../chain/view.ts'
import { boolean } from '../codecs/boolean.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'

/** A log to show; `removed` where its block is no longer canonical. */
export interface ShownLog extends PlacedLog {
  readonly removed?: boolean
}

const topics = listEncoder(hash)

/** A log as queries, filters and subscriptions give it. */
export const logObject = record<ShownLog>('log', (member) => [
  member('logIndex', count, ({ logIndex }) => logIndex),
  member('removed', boolean, ({ removed = false }) => removed),
  member('blockNumber', quantity, ({ blockNumber }) => blockNumber),
  member('blockHash', hash, ({ blockHash }) => blockHash),
  member('transactionHash', hash, (log) => log.txHash),
  member('transactionIndex', count, (log) => log.txIndex),
  member('address', address, (log) => log.address),
  member('data', data, (log) => log.data),
  member('topics', topics, (log) => log.topics),
])

/** The same log inside a receipt: Besu has another order there. */
export const receiptLogObject = record<PlacedLog>('log', (member) => [
  member('address', address, (log) => log.address),
  member('topics', topics, (log) => log.topics),
  member('data', data, (log) => log.data),
  member('blockNumber', quantity, ({ blockNumber }) => blockNumber),
  member('transactionHash', hash, (log) => log.txHash),
  member('transactionIndex', count, (log) => log.txIndex),
  member('blockHash', hash, ({ blockHash }) => blockHash),
  member('logIndex', count, ({ logIndex }) => logIndex),
  member('removed', boolean, () => false),
])
