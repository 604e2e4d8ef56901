import type { LogConditions } from '../../chain/view.ts'
import type { FilterOptions } from '../codecs/filterOptions.ts'

/** The conditions of a filter; undefined if no log can match. */
export function logConditionsOf({ addresses, topics }: FilterOptions): LogConditions | undefined {
  if (topics.some((any) => any?.length === 0)) return undefined
  return { addresses, topics: topics.map((any) => any ?? []) }
}
