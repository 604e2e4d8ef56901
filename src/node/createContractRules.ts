import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { Config } from '../config/options.ts'
import { type AccountsContract, createAccountsContract } from '../permissioning/contracts/accountsContract.ts'
import { checkAccountsContract, checkNodesContract } from '../permissioning/contracts/checkContracts.ts'
import { createContractNodeRule } from '../permissioning/contracts/contractNodeRule.ts'
import { createContractTxRule } from '../permissioning/contracts/contractTxRule.ts'
import { type AtHead, createHeadEvm } from '../permissioning/contracts/headEvm.ts'
import { createNodesContract, isNodesInterface } from '../permissioning/contracts/nodesContract.ts'
import type { NodeRule, TxRule } from '../permissioning/rules.ts'
import { toHex } from '../primitives/hex.ts'
import type { Logger } from '../system/logger.ts'
import type { CurrentView } from './ports/currentView.ts'

export interface ContractRuleParts {
  readonly chain: Pick<Chain, 'onHead'>
  readonly current: Pick<CurrentView, 'get'>
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  /** The contract for accounts, which the chain asks too. */
  readonly accounts: AccountsContract | undefined
  readonly log: Logger
}

/** The rules that contracts decide; undefined where the option is off. */
export interface ContractRules {
  readonly txs: TxRule | undefined
  readonly nodes: NodeRule | undefined
}

/** The contract that decides who may send transactions; undefined where the option is off. */
export function accountsContractOf(config: Config, log: Logger): AccountsContract | undefined {
  const address = config['permissions-accounts-contract-address']
  if (!address) return undefined
  if (config['permissions-accounts-contract-enabled']) return createAccountsContract(address, log)
  log.warn(
    { address: toHex(address) },
    'Account permissioning smart contract address set {address} but smart contract account permissioning is disabled.',
  )
  return undefined
}

/** Creates the rules that ask contracts on the state of the head; a contract of another interface is a ContractError. */
export function createContractRules(config: Config, parts: ContractRuleParts): ContractRules {
  const { current, consensus, accounts } = parts
  const atHead = createHeadEvm({ view: current.get, beneficiary: consensus.beneficiary })
  const txs = accounts && createContractTxRule(accounts, atHead)
  if (txs) checkAccountsContract(txs)
  return { txs, nodes: nodeRuleOf(config, parts, atHead) }
}

function nodeRuleOf(config: Config, { chain, log }: ContractRuleParts, atHead: AtHead): NodeRule | undefined {
  const address = config['permissions-nodes-contract-address']
  const version = config['permissions-nodes-contract-version']
  if (!address) return undefined
  if (!config['permissions-nodes-contract-enabled']) {
    log.warn(
      { address: toHex(address) },
      'Node permissioning smart contract address set {address} but smart contract node permissioning is disabled.',
    )
    return undefined
  }
  if (!isNodesInterface(version)) throw new RangeError(`interface version ${version}`)
  const ask = createNodesContract(address, version, atHead)
  checkNodesContract(ask, address, version)
  return createContractNodeRule({ ask, onHead: chain.onHead, log })
}
