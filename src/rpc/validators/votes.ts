import type { ChainView } from '../../chain/view.ts'
import type { AuthorityPort, VotesPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import type { ErrorDoc } from '../protocol/method.ts'

/** Engines whose methods differ in their names alone. */
export type BftNamespace = 'ibft' | 'qbft'

/** The votes of an engine; where a contract names the validators there is nothing to vote on. */
export function requireVotes(authority: AuthorityPort, chain: ChainView): VotesPort {
  const votes = authority.votes(chain)
  if (!votes) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
  return votes
}

export const voteErrors: readonly ErrorDoc[] = [
  [-32604, 'A contract names the validators, or another engine makes the blocks now.'],
]
