import type { ChainView } from '../../chain/view.ts'
import type { AuthorityPort, VotesPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import type { ErrorDoc } from '../protocol/method.ts'

/** Namespaces with the same methods. */
export type BftNamespace = 'ibft' | 'qbft'

/** Returns the votes of the current consensus; throws if a contract selects the validators. */
export function requireVotes(authority: AuthorityPort, chain: ChainView): VotesPort {
  const votes = authority.votes(chain)
  if (!votes) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
  return votes
}

export const voteErrors: readonly ErrorDoc[] = [
  [-32604, 'A contract selects the validators, or the network uses another consensus.'],
]
