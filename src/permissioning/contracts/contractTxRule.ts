import type { TxRule } from '../rules.ts'
import type { AccountsContract } from './accountsContract.ts'
import type { AtHead } from './headEvm.ts'

/** Asks the contract on the state of the head: for the pool, and for blocks that are built on the head. */
export function createContractTxRule(ask: AccountsContract, atHead: AtHead): TxRule {
  return { check: (tx, sender) => atHead((evm, block) => ask(evm, block, tx, sender)) }
}
