import { createEvm } from '../../evm/createEvm.ts'
import type { Evm } from '../../evm/evm.ts'
import { callBlockOf, callContract } from '../../execution/callContract.ts'
import { createHost } from '../../state/createHost.ts'
import type { CallContract } from './contractValidators.ts'

/** Calls contracts as `eth_call` does: from the zero address, on the state after the given block, without fees. */
export function createContractCaller(): CallContract {
  let evm: Evm | undefined
  return (to, data, { header }, chain) => {
    evm ??= createEvm('fast')
    evm.reset(createHost(chain.stateAt(header.number), (number) => chain.hashAt(number)))
    return callContract(evm, callBlockOf(header, chain.rulesOf(header), chain.spec.chainId), to, data).output
  }
}
