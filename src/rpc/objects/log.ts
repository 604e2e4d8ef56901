import type { PlacedLog } from '../../chain/view.ts'
import { boolean } from '../codecs/boolean.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'

/** A log for JSON-RPC; `removed` if its block is no longer canonical. */
export interface ShownLog extends PlacedLog {
  readonly removed?: boolean
}

const topics = listEncoder(hash)

/** The members of a log in queries, filters and subscriptions. */
export const logMembers = sharedMembers<ShownLog>((member) => [
  member('logIndex', count, ({ logIndex }) => logIndex),
  member('removed', boolean, ({ removed = false }) => removed),
  member('blockNumber', quantity, ({ blockNumber }) => blockNumber),
  member('blockHash', hash, ({ blockHash }) => blockHash),
  member.optional('blockTimestamp', quantity, ({ blockTimestamp }) => blockTimestamp),
  member('transactionHash', hash, (log) => log.txHash),
  member('transactionIndex', count, (log) => log.txIndex),
  member('address', address, (log) => log.address),
  member('data', data, (log) => log.data),
  member('topics', topics, (log) => log.topics),
])

/** A log in queries, filters and subscriptions. */
export const logObject = record<ShownLog>('log', () => logMembers)

/** A log in a receipt, where Besu has another order of members. */
export const receiptLogObject = record<PlacedLog>('log', (member) => [
  member('address', address, (log) => log.address),
  member('topics', topics, (log) => log.topics),
  member('data', data, (log) => log.data),
  member('blockNumber', quantity, ({ blockNumber }) => blockNumber),
  member('transactionHash', hash, (log) => log.txHash),
  member('transactionIndex', count, (log) => log.txIndex),
  member('blockHash', hash, ({ blockHash }) => blockHash),
  member.optional('blockTimestamp', quantity, ({ blockTimestamp }) => blockTimestamp),
  member('logIndex', count, ({ logIndex }) => logIndex),
  member('removed', boolean, () => false),
])
