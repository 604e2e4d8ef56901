import type { HashedHeader } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { QueryContext } from '../context.ts'
import { QueryError } from '../fault.ts'
import type { AccountNode } from '../nodes.ts'

/** The argument of fields whose account may be shown at another block. */
export interface BlockArgument {
  readonly block?: bigint | null
}

/** An account after the block in the argument, or else after `own`. */
export function accountAt(
  address: Address,
  { block }: BlockArgument,
  own: HashedHeader,
  { load }: QueryContext,
): AccountNode {
  if (block === undefined || block === null) return { address, at: own }
  if (block < 0n) throw new QueryError({ code: 'NEGATIVE' })
  return { address, at: load.blockAt(block) }
}
