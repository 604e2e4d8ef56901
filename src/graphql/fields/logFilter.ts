import type { LogConditions } from '../../chain/view.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { QueryError } from '../fault.ts'

/** The input type BlockFilterCriteria. */
export interface BlockFilter {
  readonly addresses?: readonly Address[] | null
  readonly topics?: readonly (readonly Hash32[])[] | null
}

/** Maximum number of addresses, and of topics in all positions together: each is compared with every log. */
const maxChoices = 1000

/** The addresses and topics of a filter; unlike in JSON-RPC, an empty list of topics matches any. */
export function blockFilterConditions({ addresses, topics }: BlockFilter): LogConditions {
  const topicCount = (topics ?? []).reduce((sum, any) => sum + Math.max(any.length, 1), 0)
  if ((addresses?.length ?? 0) > maxChoices || topicCount > maxChoices)
    throw new QueryError({ code: 'FILTER_TOO_LARGE', limit: maxChoices })
  return { addresses: addresses ?? [], topics: topics ?? [] }
}
