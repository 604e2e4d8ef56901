import { randomBytes } from 'node:crypto'
import type { HeadEvent } from '../../chain/events.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { logsOfBlock } from '../../query/logsOfBlock.ts'
import type { FilterOptions } from '../codecs/filterOptions.ts'
import type { ShownLog } from '../objects/log.ts'
import { logConditionsOf } from './logQuery.ts'

/** Milliseconds after which a filter expires if it is not polled. */
const lifetime = 600_000
/** Maximum number of filters; beyond that, the oldest is removed. */
const maxFilters = 10_000

/** A block that joined or left the canonical chain. */
interface Move {
  readonly hash: Hash32
  readonly number: bigint
  readonly removed: boolean
}

type Filter = { lastAsked: number } & (
  | { readonly kind: 'logs'; readonly options: FilterOptions; readonly moves: Move[] }
  | { readonly kind: 'blocks' | 'pending'; readonly hashes: Hash32[] }
)

/** What a filter collected since the last poll. */
export type FilterChanges = { readonly logs: readonly ShownLog[] } | { readonly hashes: readonly Hash32[] }

/** Filters that clients poll; ids are 16 random bytes. */
export interface Filters {
  addLogs(options: FilterOptions, now?: number): bigint
  addBlocks(now?: number): bigint
  addPending(now?: number): bigint
  /** Returns false if there was no such filter. */
  remove(id: string): boolean
  /** Returns undefined if there is no such filter. */
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

export function createFilters(clock: () => number): Filters {
  const filters = createRecentMap<string, Filter>(maxFilters)

  function add(filter: Filter): bigint {
    const id = bytesToBigInt(randomBytes(16))
    filters.set(id.toString(16), filter)
    return id
  }

  function find(id: string, now: number): Filter | undefined {
    const filter = filters.get(keyOf(id))
    if (!filter) return undefined
    if (now - filter.lastAsked <= lifetime) {
      filter.lastAsked = now
      return filter
    }
    filters.delete(keyOf(id))
    return undefined
  }

  return {
    addLogs: (options, now = clock()) => add({ kind: 'logs', options, moves: [], lastAsked: now }),
    addBlocks: (now = clock()) => add({ kind: 'blocks', hashes: [], lastAsked: now }),
    addPending: (now = clock()) => add({ kind: 'pending', hashes: [], lastAsked: now }),
    remove: (id) => filters.delete(keyOf(id)),

    changes(id, chain, now = clock()) {
      const filter = find(id, now)
      if (!filter) return undefined
      if (filter.kind !== 'logs') return { hashes: filter.hashes.splice(0) }
      return { logs: filter.moves.splice(0).flatMap((move) => logsOfMove(chain, filter.options, move)) }
    },

    logOptions(id, now = clock()) {
      const filter = find(id, now)
      return filter?.kind === 'logs' ? filter.options : undefined
    },

    onHead({ added, removed }) {
      const moves = [
        ...removed.map(({ hash, header }) => ({ hash, number: header.number, removed: true })),
        ...added.map(({ hash, header }) => ({ hash, number: header.number, removed: false })),
      ]
      for (const filter of filters.values()) {
        if (filter.kind === 'logs') filter.moves.push(...moves)
        else if (filter.kind === 'blocks') filter.hashes.push(...added.map(({ hash }) => hash))
      }
    },

    onPending(hash) {
      for (const filter of filters.values()) if (filter.kind === 'pending') filter.hashes.push(hash)
    },

    sweep(now) {
      for (const [id, { lastAsked }] of filters.entries()) if (now - lastAsked > lifetime) filters.delete(id)
    },
  }
}

/** Logs of a block that was added or removed, read when the filter is polled. */
function logsOfMove(chain: ChainView, options: FilterOptions, { hash, number, removed }: Move): ShownLog[] {
  const conditions = logConditionsOf(options)
  if (!conditions || ('number' in options.toBlock && number > options.toBlock.number)) return []
  return logsOfBlock(chain, hash, conditions).map((log) => ({ ...log, removed }))
}
