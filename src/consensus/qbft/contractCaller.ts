import { createEvm, type Evm } from '../../evm/evm.ts'
import { blockEnvOf } from '../../execution/blockEnv.ts'
import { TxError } from '../../execution/fault.ts'
import { simulate } from '../../execution/simulate.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import { createHost } from '../../state/createHost.ts'
import type { LegacyTx } from '../../types/transaction.ts'
import type { CallContract } from './contractValidators.ts'

/** Calls contracts as `eth_call` does: from the zero address, on the state after the given block, without fees. */
export function createContractCaller(): CallContract {
  let evm: Evm | undefined
  return (to, data, { header }, chain) => {
    evm ??= createEvm('fast')
    const rules = chain.rulesOf(header)
    const block = { ...blockEnvOf(header, rules, chain.spec.chainId), baseFee: 0n }
    evm.reset(createHost(chain.stateAt(header.number), (number) => chain.hashAt(number)))
    evm.setBlock(block, rules)
    const tx: LegacyTx = {
      type: 0,
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: header.gasLimit,
      to,
      value: 0n,
      data,
      v: 27n,
      r: 0n,
      s: 0n,
    }
    try {
      const { status, output } = simulate(evm, tx, zeroAddress, { block, rules, pays: 'nothing' })
      return status === 1 ? output : undefined
    } catch (error) {
      // The block's gas limit is below the intrinsic gas of the call.
      if (error instanceof TxError) return undefined
      throw error
    }
  }
}
