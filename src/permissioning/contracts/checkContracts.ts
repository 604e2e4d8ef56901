import type { Enode } from '../../net/enode.ts'
import { type Address, emptyBytes, zeroAddress } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { LegacyTx } from '../../types/transaction.ts'
import type { TxRule } from '../rules.ts'
import { ContractError } from './fault.ts'
import type { NodesContract, NodesInterface } from './nodesContract.ts'

const noTx: LegacyTx = {
  ...{ type: 0, nonce: 0n, gasPrice: 0n, gasLimit: 0n, to: zeroAddress, value: 0n, data: emptyBytes },
  ...{ v: 27n, r: 0n, s: 0n },
}

/** The node that Besu asks about. */
const someNode: Enode = {
  id: fromHex(
    '6f8a80d14311c39f35f516fa664deaaaa13e85b2f7493f37f6144d86991ec012' +
      '937307647bd3b9a82abe2974e1407241d54947bbb39763a4cac9f77166ad92a0',
  ),
  ip: '10.3.58.6',
  tcpPort: 30303,
  udpPort: 30303,
}

/** Throws if the contract does not answer as one for accounts; a missing contract may be deployed later. */
export function checkAccountsContract(rule: TxRule): void {
  if (rule.check(noTx, zeroAddress) === 'unclear') throw new ContractError({ code: 'ACCOUNTS_CONTRACT_UNUSABLE' })
}

/** Throws if the contract does not answer as one for nodes. */
export function checkNodesContract(ask: NodesContract, contract: Address, version: NodesInterface): void {
  if (ask(someNode, someNode).verdict === 'unclear')
    throw new ContractError({ code: 'NODES_CONTRACT_UNUSABLE', address: toHex(contract), version })
}
