import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Evm } from '../evm/evm.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import type { TrialTerms } from '../execution/estimateGas.ts'
import type { Payment } from '../execution/simulate.ts'
import { type Address, zeroAddress } from '../primitives/bytes.ts'
import type { StateView } from '../state/view.ts'
import type { Tx } from '../types/transaction.ts'
import type { Call } from './call.ts'
import { callTx } from './callTx.ts'
import { trialGas } from './gasAllowance.ts'
import { standOn } from './standOn.ts'

/** A trial made ready: the transaction that a call stands for, its sender and the block that it runs in. */
export interface PreparedTrial {
  readonly tx: Tx
  readonly sender: Address
  readonly terms: TrialTerms
}

/** Where a call is tried out: on the state after a block, in that block. */
export interface TrialGround {
  readonly chain: ChainView
  readonly at: HashedHeader
  readonly state: StateView
  readonly payment: Payment
  /** Gas that the call may use at most, whatever it asks for. */
  readonly maxGas?: bigint | undefined
  /** Who collects fees, where it is not who the header names. */
  readonly beneficiary?: Address | undefined
  /** Changes the state before the call is looked at. */
  readonly amend?: ((evm: Evm) => void) | undefined
}

/** Readies an engine for a call. */
export function prepareTrial(evm: Evm, call: Call, ground: TrialGround): PreparedTrial {
  const { chain, at, state, payment, beneficiary, maxGas = trialGas } = ground
  const { chainId } = chain.spec
  const rules = chain.rulesOf(at.header)
  const env = blockEnvOf(at.header, rules, chainId, beneficiary)
  const pays = payment === 'all'
  // Where nothing is paid there is no base fee to pay either, and contracts see none.
  const block = pays ? env : { ...env, baseFee: 0n }
  standOn(evm, chain, at, state)
  evm.setBlock(block, rules)
  ground.amend?.(evm)
  const sender = call.from ?? zeroAddress
  const wanted = call.gas ?? at.header.gasLimit
  const gasLimit = wanted < maxGas ? wanted : maxGas
  return {
    tx: callTx(call, { nonce: evm.nonce(sender), gasLimit, chainId, pays }),
    sender,
    terms: { block, rules, payment },
  }
}
