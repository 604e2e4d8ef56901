import { type Address, equalBytes } from '../primitives/bytes.ts'
import { emptyAccount } from '../types/account.ts'
import type { ChainView } from './view.ts'

/** Whether there is a contract at the head of a chain. */
export function hasCodeAtHead(view: ChainView): (address: Address) => boolean {
  const state = view.stateAt(view.head.header.number)
  return (address) => {
    const account = state.account(address)
    return account !== undefined && !equalBytes(account.codeHash, emptyAccount.codeHash)
  }
}
