import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { LogConditions } from '../../query/logsOfBlock.ts'

/** The input type BlockFilterCriteria. */
export interface BlockFilter {
  readonly addresses?: readonly Address[] | null
  readonly topics?: readonly (readonly Hash32[])[] | null
}

/** What logs must have; unlike in JSON-RPC, an empty list of topics takes any. */
export function conditionsOf({ addresses, topics }: BlockFilter): LogConditions {
  return { addresses: addresses ?? [], topics: topics ?? [] }
}
