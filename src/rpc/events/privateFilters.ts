import { randomBytes } from 'node:crypto'
import { matchesLog } from '../../chain/logs/logIndex.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { PrivateLogs } from '../../privacy/execution/privateLogs.ts'
import type { FilterOptions } from '../codecs/filterOptions.ts'
import type { ShownLog } from '../objects/log.ts'
import { RpcError } from '../protocol/fault.ts'
import { logConditionsOf } from './logQuery.ts'

/** Milliseconds after which a filter expires if it is not polled. */
const lifetime = 600_000
const maxFilters = 10_000
/** Logs that a filter keeps until it is polled; one that falls further behind ends. */
const maxLogs = 10_000

interface PrivateFilter {
  readonly group: string
  readonly options: FilterOptions
  logs: ShownLog[]
  lastAsked: number
}

/** Filters on the logs of privacy groups; ids are 16 random bytes, and each filter answers for its own group only. */
export interface PrivateFilters {
  add(group: string, options: FilterOptions): bigint
  /** Returns false if the group has no such filter. */
  remove(group: string, id: string): boolean
  /** Returns the logs since the last poll; undefined if the group has no such filter. */
  changes(group: string, id: string): readonly ShownLog[] | undefined
  options(group: string, id: string): FilterOptions | undefined
  onLogs(event: PrivateLogs): void
  /** Removes expired filters. */
  sweep(now: number): void
}

const keyOf = (id: string): string => id.toLowerCase().replace(/^(?:0x)?0*/, '')

export function createPrivateFilters(clock: () => number): PrivateFilters {
  const filters = new Map<string, PrivateFilter>()

  function find(group: string, id: string): PrivateFilter | undefined {
    const filter = filters.get(keyOf(id))
    if (!filter || filter.group !== group) return undefined
    if (clock() - filter.lastAsked > lifetime) {
      filters.delete(keyOf(id))
      return undefined
    }
    filter.lastAsked = clock()
    return filter
  }

  return {
    add(group, options) {
      if (filters.size >= maxFilters) throw new RpcError({ code: 'TOO_MANY_FILTERS' })
      const id = bytesToBigInt(randomBytes(16))
      filters.set(id.toString(16), { group, options, logs: [], lastAsked: clock() })
      return id
    },
    remove: (group, id) => find(group, id) !== undefined && filters.delete(keyOf(id)),
    changes(group, id) {
      const filter = find(group, id)
      if (!filter) return undefined
      const { logs } = filter
      filter.logs = []
      return logs
    },
    options: (group, id) => find(group, id)?.options,
    onLogs(event) {
      const group = Buffer.from(event.group).toString('base64')
      for (const [key, filter] of filters) {
        if (filter.group !== group) continue
        filter.logs.push(...matching(event, filter.options))
        // Its client notices that logs are lost.
        if (filter.logs.length > maxLogs) filters.delete(key)
      }
    },
    sweep(now) {
      for (const [key, { lastAsked }] of filters) if (now - lastAsked > lifetime) filters.delete(key)
    },
  }
}

/** The logs of an event that match a filter. */
export function matching({ logs, removed }: PrivateLogs, options: FilterOptions): ShownLog[] {
  const conditions = logConditionsOf(options)
  const { fromBlock, toBlock } = options
  if (!conditions) return []
  return logs
    .filter(
      (log) =>
        matchesLog(log, conditions) &&
        !('number' in fromBlock && log.blockNumber < fromBlock.number) &&
        !('number' in toBlock && log.blockNumber > toBlock.number),
    )
    .map((log) => ({ ...log, removed }))
}
