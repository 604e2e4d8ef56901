import type { TxPermission } from '../../chain/permissionCheck.ts'
import type { Evm } from '../../evm/evm.ts'
import { type CallBlock, callContract } from '../../execution/callContract.ts'
import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Logger } from '../../system/logger.ts'
import type { Tx } from '../../types/transaction.ts'
import type { Verdict } from '../rules.ts'
import { boolAnswers, decodeAnswer } from './decodeAnswers.ts'
import { encodeTransactionAllowed } from './encodeCalls.ts'

/** The contract that decides who may send transactions; asked in a block, on the state after it. */
export type AccountsContract = (evm: Evm, block: CallBlock, tx: Tx, sender: Address) => Verdict

/** Where there is no account at the address yet, all transactions are allowed. */
export function createAccountsContract(contract: Address, log: Pick<Logger, 'warn'>): AccountsContract {
  const address = toHex(contract)
  /** What was logged last, so that each change is logged once. */
  let state: 'usable' | 'missing' | 'unclear' = 'usable'

  function note(next: typeof state): void {
    if (next === state) return
    state = next
    if (next === 'missing')
      log.warn(
        { address },
        'Account permissioning smart contract not found at address {address} in current head block. ' +
          'Any transaction will be allowed.',
      )
    if (next === 'unclear')
      log.warn({ address }, 'account permissioning contract {address} fails or returns no bool: transaction refused')
  }

  return (evm, block, tx, sender) => {
    if (!evm.exists(contract)) {
      note('missing')
      return 'allowed'
    }
    const verdict = decodeAnswer(
      callContract(evm, block, contract, encodeTransactionAllowed(tx, sender)).output,
      boolAnswers,
    )
    note(verdict === 'unclear' ? 'unclear' : 'usable')
    return verdict
  }
}

/** Lets the chain ask the contract about the transactions of blocks; a block with an unclear answer is bad, too. */
export function permissionOf(accounts: AccountsContract): TxPermission {
  return (evm, parent, tx, sender) => accounts(evm, parent, tx, sender) === 'allowed'
}
