import type { ChainView } from '../../chain/view.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { senderOf } from '../../types/signTx.ts'
import type { PlacedTx } from '../objects/transaction.ts'
import { firstBlockWith } from './firstBlock.ts'

/** The mined transaction that an account sent with a nonce; throws where pruning removed the states that would show its block. */
export function minedBySender(chain: ChainView, sender: Address, nonce: bigint): PlacedTx | undefined {
  const number = firstBlockWith(chain, (state) => (state.account(sender)?.nonce ?? 0n) > nonce)
  const block = number === undefined ? undefined : chain.blockAt(number)
  const transactions = block?.block.transactions ?? []
  const index = transactions.findIndex((one) => one.nonce === nonce && equalBytes(senderOf(one)!, sender))
  return index < 0 ? undefined : { tx: transactions[index]!, block: block!, index }
}
