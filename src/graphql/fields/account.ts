import { emptyBytes, type Hash32, padLeft } from '../../primitives/bytes.ts'
import type { Account } from '../../types/account.ts'
import { type Fields, paidBytes, type QueryContext } from '../context.ts'
import type { AccountNode } from '../nodes.ts'

function stateOf({ address, at }: AccountNode, { load }: QueryContext): Account | undefined {
  return at && load.state(at).account(address)
}

/** A missing account has balance 0, nonce 0 and no code. */
export const accountFields: Fields<AccountNode> = {
  address: ({ address }) => address,
  balance: (node, _, context) => stateOf(node, context)?.balance ?? 0n,
  transactionCount: (node, _, context) => stateOf(node, context)?.nonce ?? 0n,
  code(node, _, context) {
    const account = stateOf(node, context)
    return account ? paidBytes(context.load.state(node.at!).code(account.codeHash), context) : emptyBytes
  },
  storage({ address, at }, { slot }: { slot: Hash32 }, { load }) {
    return padLeft(at ? load.state(at).storage(address, slot) : emptyBytes, 32)
  },
}
