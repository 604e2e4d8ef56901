import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { LogConditions } from '../../query/logsOfBlock.ts'

/** The input type BlockFilterCriteria. */
export interface BlockFilter {
  readonly addresses?: readonly Address[] | null
  readonly topics?: readonly (readonly Hash32[])[] | null
}

/** The addresses and topics of a filter; unlike in JSON-RPC, an empty list of topics matches any. */
export function blockFilterConditions({ addresses, topics }: BlockFilter): LogConditions {
  return { addresses: addresses ?? [], topics: topics ?? [] }
}
