import type { TokenView } from '../../chain/tokens/tokenView.ts'
import type { ChainView } from '../../chain/view.ts'
import { RpcError } from '../protocol/fault.ts'
import type { ErrorDoc } from '../protocol/method.ts'

export const tokenErrors: readonly ErrorDoc[] = [[-32000, 'The index of tokens does not have all blocks yet.']]

/** What is known of tokens; sums over some of the blocks would be wrong, so that all of them have to be indexed. */
export function requireTokens({ tokens, head }: ChainView): TokenView {
  const { range } = tokens
  const code = 'TOKEN_INDEX_INCOMPLETE'
  if (!range) throw new RpcError({ code, detail: 'tokens are not indexed' })
  const { first, last } = range
  if (first === 0 && BigInt(last) === head.header.number) return tokens
  throw new RpcError({ code, detail: `it has blocks ${first} to ${last} of ${head.header.number} so far` })
}
