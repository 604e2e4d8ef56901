import { randomBytes } from 'node:crypto'
import type { HeadEvent } from '../../chain/events.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { FilterOptions } from '../codecs/filterOptions.ts'
import type { ShownLog } from '../objects/log.ts'
import { RpcError } from '../protocol/fault.ts'
import { createEventLog, type EventLog } from './eventLog.ts'
import { logConditionsOf } from './logQuery.ts'

/** What the operator allows. */
export interface FilterLimits {
  /** Milliseconds after which a filter expires if it is not polled. */
  readonly lifetime: number
  /** Maximum number of filters; 0 sets no limit. */
  readonly maxFilters: number
}

const usualLimits: FilterLimits = { lifetime: 600_000, maxFilters: 10_000 }

/** Milliseconds after which a filter that was not polled may be removed for a new one when there are too many. */
const evictableAfter = 60_000
/** Maximum number of addresses and topics of all filters together. */
const maxConditions = 100_000
/** Blocks and hashes that are kept for filters; one that falls further behind ends. */
const keptMoves = 10_000
const keptHashes = 50_000

/** A block that joined or left the canonical chain. */
interface Move {
  readonly hash: Hash32
  readonly number: bigint
  readonly removed: boolean
}

/** `position` is where the filter has read its events up to. */
type Filter = { lastAsked: number; position: number } & (
  | { readonly kind: 'logs'; readonly options: FilterOptions }
  | { readonly kind: 'blocks' | 'pending' }
)

/** What a filter collected since the last poll. */
export type FilterChanges = { readonly logs: readonly ShownLog[] } | { readonly hashes: readonly Hash32[] }

/** Filters that clients poll; ids are 16 random bytes. Adding one throws when there are too many. */
export interface Filters {
  addLogs(options: FilterOptions, now?: number): bigint
  addBlocks(now?: number): bigint
  addPending(now?: number): bigint
  /** Returns false if there was no such filter. */
  remove(id: string): boolean
  /** Returns undefined if there is no such filter, or it was not polled for so long that events are lost. */
  changes(id: string, chain: ChainView, now?: number): FilterChanges | undefined
  /** Returns the options of a log filter; undefined if there is no such filter. */
  logOptions(id: string, now?: number): FilterOptions | undefined
  onHead(event: HeadEvent): void
  onPending(hash: Hash32): void
  /** Removes expired filters. */
  sweep(now: number): void
}

/** Normalised id, without leading zeros. */
function keyOf(id: string): string {
  return id.toLowerCase().replace(/^(?:0x)?0*/, '')
}

/** Addresses and topics of a filter. */
function conditionCount(filter: Filter): number {
  if (filter.kind !== 'logs') return 0
  const { addresses, topics } = filter.options
  return topics.reduce((sum, any) => sum + (any?.length ?? 0), addresses.length)
}

/** The events since the last poll; undefined if some of them are lost. */
function read<T>(filter: Filter, log: EventLog<T>): readonly T[] | undefined {
  const events = log.since(filter.position)
  filter.position = log.end()
  return events
}

/**
 * The filters that clients have installed: what each has not yet been given, and when it is forgotten. Filters of one kind share one list of
 * events and differ in how far they have read it: ten thousand filters of a crowd cost one list, not ten thousand.
 */
class ClientFilters implements Filters {
  private readonly clock: () => number
  private readonly limits: FilterLimits
  /** The least recently polled comes first. */
  private readonly filters = new Map<string, Filter>()
  private readonly moves = createEventLog<Move>(keptMoves)
  private readonly hashes = createEventLog<Hash32>(keptHashes)
  private conditions = 0

  constructor(clock: () => number, limits: FilterLimits) {
    this.clock = clock
    this.limits = limits
  }

  private logOf({ kind }: Pick<Filter, 'kind'>) {
    return kind === 'pending' ? this.hashes : this.moves
  }

  private drop(key: string): boolean {
    const filter = this.filters.get(key)
    if (!filter) return false
    this.conditions -= conditionCount(filter)
    return this.filters.delete(key)
  }

  /** Makes room by removing filters that nobody polls; filters in use are never removed for new ones. */
  private makeRoom(count: number, now: number): void {
    const max = this.limits.maxFilters || Infinity
    for (const [key, { lastAsked }] of this.filters) {
      if (this.filters.size < max && this.conditions + count <= maxConditions) return
      if (now - lastAsked <= evictableAfter) throw new RpcError({ code: 'TOO_MANY_FILTERS' })
      this.drop(key)
    }
  }

  private add(filter: Filter): bigint {
    const count = conditionCount(filter)
    this.makeRoom(count, filter.lastAsked)
    this.conditions += count
    const id = bytesToBigInt(randomBytes(16))
    this.filters.set(id.toString(16), filter)
    return id
  }

  private find(id: string, now: number): Filter | undefined {
    const key = keyOf(id)
    const filter = this.filters.get(key)
    if (!filter) return undefined
    this.filters.delete(key)
    if (now - filter.lastAsked > this.limits.lifetime) {
      this.conditions -= conditionCount(filter)
      return undefined
    }
    filter.lastAsked = now
    this.filters.set(key, filter)
    return filter
  }

  private changesOf(filter: Filter, chain: ChainView): FilterChanges | undefined {
    if (filter.kind === 'pending') {
      const found = read(filter, this.hashes)
      return found && { hashes: found }
    }
    const found = read(filter, this.moves)
    if (filter.kind === 'logs')
      return found && { logs: found.flatMap((move) => logsOfMove(chain, filter.options, move)) }
    return found && { hashes: found.filter(({ removed }) => !removed).map(({ hash }) => hash) }
  }

  readonly addLogs: Filters['addLogs'] = (options, now = this.clock()) =>
    this.add({ kind: 'logs', options, position: this.moves.end(), lastAsked: now })

  readonly addBlocks: Filters['addBlocks'] = (now = this.clock()) =>
    this.add({ kind: 'blocks', position: this.moves.end(), lastAsked: now })

  readonly addPending: Filters['addPending'] = (now = this.clock()) =>
    this.add({ kind: 'pending', position: this.hashes.end(), lastAsked: now })

  readonly remove: Filters['remove'] = (id) => this.drop(keyOf(id))

  readonly changes: Filters['changes'] = (id, chain, now = this.clock()) => {
    const filter = this.find(id, now)
    const changes = filter && this.changesOf(filter, chain)
    // A filter that has lost events ends, so that its client notices.
    if (filter && !changes) this.drop(keyOf(id))
    return changes
  }

  readonly logOptions: Filters['logOptions'] = (id, now = this.clock()) => {
    const filter = this.find(id, now)
    return filter?.kind === 'logs' ? filter.options : undefined
  }

  readonly onHead: Filters['onHead'] = ({ added, removed }) => {
    if (this.filters.size === 0) return
    this.moves.push([
      ...removed.map(({ hash, header }) => ({ hash, number: header.number, removed: true })),
      ...added.map(({ hash, header }) => ({ hash, number: header.number, removed: false })),
    ])
  }

  readonly onPending: Filters['onPending'] = (hash) => {
    if (this.filters.size > 0) this.hashes.push([hash])
  }

  readonly sweep: Filters['sweep'] = (now) => {
    for (const [key, { lastAsked }] of this.filters) if (now - lastAsked > this.limits.lifetime) this.drop(key)
    for (const log of [this.moves, this.hashes]) {
      let oldest = log.end()
      for (const filter of this.filters.values())
        if (this.logOf(filter) === log) oldest = Math.min(oldest, filter.position)
      log.dropBefore(oldest)
    }
  }
}

export function createFilters(clock: () => number, limits: FilterLimits = usualLimits): Filters {
  return new ClientFilters(clock, limits)
}

/** Logs of a block that was added or removed, read when the filter is polled. */
function logsOfMove(chain: ChainView, options: FilterOptions, { hash, number, removed }: Move): ShownLog[] {
  const conditions = logConditionsOf(options)
  if (!conditions || ('number' in options.toBlock && number > options.toBlock.number)) return []
  return chain.logsOf(hash, conditions).map((log) => ({ ...log, removed }))
}
