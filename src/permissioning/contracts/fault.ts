import { maxQuestionGas } from '../../execution/callContract.ts'
import { Fault } from '../../primitives/fault.ts'

/** Why a node with contract permissioning cannot start. */
export type ContractFault =
  | { code: 'ACCOUNTS_CONTRACT_UNUSABLE' }
  | { code: 'NODES_CONTRACT_UNUSABLE'; address: string; version: number }

function textOf(at: ContractFault): string {
  if (at.code === 'ACCOUNTS_CONTRACT_UNUSABLE')
    return (
      'Error validating onchain account permissioning smart contract configuration: ' +
      `the contract fails, spends more than ${maxQuestionGas} gas, or returns no bool`
    )
  const { address, version } = at
  return (
    `Error: node permissioning contract at address ${address} does not match the expected interface version ${version}. ` +
    `It returns something else, fails, or spends more than ${maxQuestionGas} gas`
  )
}

/** The message begins as Besu's. */
export class ContractError extends Fault<ContractFault> {
  constructor(at: ContractFault) {
    super(at, undefined, textOf(at))
  }
}
