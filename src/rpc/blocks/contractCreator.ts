import type { ChainView } from '../../chain/view.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { StateView } from '../../state/view.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { txHash } from '../../types/encodeTx.ts'
import { senderOf } from '../../types/signTx.ts'
import type { RpcContext } from '../protocol/context.ts'
import { callTreesOf, framesOf } from '../tracing/callTrees.ts'
import { firstBlockWith } from './firstBlock.ts'

/** Who created a contract, by which transaction. */
export interface Creation {
  readonly hash: Hash32
  readonly creator: Address
}

function hasCode(state: StateView, address: Address): boolean {
  const account = state.account(address)
  return account !== undefined && state.code(account.codeHash).length > 0
}

/** The first appearance of a contract that a transaction itself created: no state and no execution are needed. */
function createdDirectly(chain: ChainView, contract: Address): Creation | undefined {
  if (chain.accountIndex?.first !== 0) return undefined
  for (const { blockNumber, indexes } of chain.appearances(contract, 0n, 'ascending')) {
    const { transactions } = chain.blockAt(blockNumber)!.block
    for (const index of indexes) {
      const tx = transactions[index]!
      const created = createdAddress(tx)
      if (created && equalBytes(created, contract)) return { hash: txHash(tx), creator: senderOf(tx)! }
    }
    return undefined
  }
  return undefined
}

/** Finds the block in which a contract got its code, and in the calls of that block the creation. */
export function findCreation(ports: Pick<RpcContext, 'chain' | 'evms'>, contract: Address): Creation | undefined {
  const { chain } = ports
  if (!hasCode(chain.stateAt(chain.head.header.number), contract)) return undefined
  const direct = createdDirectly(chain, contract)
  if (direct) return direct
  const number = firstBlockWith(chain, (state) => hasCode(state, contract))
  const hashed = number === undefined ? undefined : chain.blockAt(number)
  if (!hashed) return undefined
  for (const [index, tree] of callTreesOf(ports, hashed).entries())
    for (const { frame } of framesOf(tree))
      if (frame.kind.startsWith('CREATE') && !frame.failure && equalBytes(frame.to, contract))
        return { hash: txHash(hashed.block.transactions[index]!), creator: frame.from }
  return undefined
}
