import type { HeadEvent } from '../../chain/events.ts'
import { matchesLog } from '../../chain/logs/logIndex.ts'
import type { ChainView, LogConditions, PlacedLog } from '../../chain/view.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import { showSealed } from '../blocks/showBlock.ts'
import { boolean } from '../codecs/boolean.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { filterOptions } from '../codecs/filterOptions.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { nullable } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { blockObject } from '../objects/block.ts'
import { logObject } from '../objects/log.ts'
import { pooledTransactionObject } from '../objects/pooledTransaction.ts'
import { syncStatus } from '../objects/syncStatus.ts'
import { feesOf, recipient, vOf } from '../objects/transaction.ts'
import { RpcError } from '../protocol/fault.ts'
import { createFanOut } from './fanOut.ts'
import { logConditionsOf } from './logQuery.ts'
import type { Stop, SubscriptionKind } from './subscriptions.ts'

/** Sources of events. */
export interface Feeds {
  /** The chain as of the last committed block. */
  chain(): ChainView
  onHead(listener: (event: HeadEvent) => void): Stop
  /** Transactions that have come to the pool. */
  onPending(listener: (hash: Hash32) => void): Stop
  /** The same, with all that the pool knows of them. */
  onPendingEntry(listener: (entry: PoolEntry) => void): Stop
  /** Transactions that have left the pool without having been mined. */
  onDropped(listener: (hash: Hash32) => void): Stop
  onSync(listener: (status: SyncStatus | undefined) => void): Stop
}

/** A pending transaction in notifications. */
const pendingObject = record<PoolEntry>('pending transaction', (member) => [
  member('from', address, ({ sender }) => sender),
  member('gas', quantity, ({ tx }) => tx.gasLimit),
  member('gasPrice', nullable(quantity), ({ tx }) => (feesOf(tx) ? undefined : (tx as { gasPrice: bigint }).gasPrice)),
  member('hash', hash, (entry) => entry.hash),
  member('input', data, ({ tx }) => tx.data),
  member('nonce', quantity, ({ tx }) => tx.nonce),
  member('to', recipient, ({ tx }) => tx.to),
  member('type', count, ({ tx }) => tx.type),
  member('value', quantity, ({ tx }) => tx.value),
  member.optional('yParity', count, ({ tx }) => (tx.type === 0 ? undefined : tx.yParity)),
  member.optional('v', quantity, ({ tx }) => vOf(tx)),
  member('r', quantity, ({ tx }) => tx.r),
  member('s', quantity, ({ tx }) => tx.s),
])

/** Decodes options; invalid ones are an invalid request here. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RpcError) throw new RpcError({ code: 'INVALID_REQUEST' }, error)
    throw error
  }
}

/** Which form of a pending transaction is wanted: geth's by `true`, Besu's by an object, or the hash alone. */
function pendingFormOf(options: unknown): 'hash' | 'besu' | 'geth' {
  if (options === true) return 'geth'
  return options !== false && includesTransactions(options) ? 'besu' : 'hash'
}

function includesTransactions(options: unknown): boolean {
  if (options === undefined) return false
  return reading(() => optionalMember(decodeObject(options), 'includeTransactions', boolean) ?? false)
}

/** The logs that a block has brought or taken away, each with its text: many subscribers get the same. */
interface BlockLogs {
  readonly number: bigint
  readonly logs: readonly { readonly log: PlacedLog; readonly text: string }[]
}

const everyLog: LogConditions = { addresses: [], topics: [] }

/** The subscription types of eth_subscribe. */
export function createSubscriptionKinds(feeds: Feeds): Readonly<Record<string, SubscriptionKind>> {
  const createHeads = (full: boolean) =>
    createFanOut<string>((publish) =>
      feeds.onHead(({ added }) => {
        for (const block of added) publish(blockObject.encode(showSealed(feeds.chain(), block, full)))
      }),
    )
  const heads = createHeads(false)
  const fullHeads = createHeads(true)
  const logs = createFanOut<BlockLogs>((publish) =>
    feeds.onHead(({ added, removed }) => {
      const show = (blocks: HeadEvent['added'], gone: boolean) => {
        for (const { header, hash } of blocks) {
          const all = feeds.chain().logsOf(hash, everyLog)
          if (all.length === 0) continue
          const shown = all.map((log) => ({ log, text: logObject.encode({ ...log, removed: gone }) }))
          publish({ number: header.number, logs: shown })
        }
      }
      show(removed, true)
      show(added, false)
    }),
  )
  const createPending = ({ encode }: Encoder<PoolEntry>) =>
    createFanOut<string>((publish) => feeds.onPendingEntry((entry) => publish(encode(entry))))
  const pendingBy = {
    hash: createFanOut<string>((publish) => feeds.onPending((found) => publish(hash.encode(found)))),
    besu: createPending(pendingObject),
    geth: createPending(pooledTransactionObject),
  }
  const dropped = createFanOut<string>((publish) => feeds.onDropped((found) => publish(hash.encode(found))))
  return {
    newHeads: {
      start: (options, emit) => (includesTransactions(options) ? fullHeads : heads).add(emit),
    },
    logs: {
      start(options, emit) {
        const filter = reading(() => filterOptions.decode(options))
        const conditions = logConditionsOf(filter)
        if (!conditions) return () => {}
        const wanted = (number: bigint) =>
          !('number' in filter.fromBlock && number < filter.fromBlock.number) &&
          !('number' in filter.toBlock && number > filter.toBlock.number)
        return logs.add(({ number, logs: shown }) => {
          if (wanted(number)) for (const { log, text } of shown) if (matchesLog(log, conditions)) emit(text)
        })
      },
    },
    newPendingTransactions: {
      start: (options, emit) => pendingBy[pendingFormOf(options)].add(emit),
    },
    droppedPendingTransactions: { start: (_, emit) => dropped.add(emit) },
    syncing: {
      start: (_, emit) => feeds.onSync((status) => emit(syncStatus.encode(status))),
    },
  }
}
