import type { Evm } from '../evm/evm.ts'
import type { BlockEnv } from '../evm/message.ts'
import type { Rules } from '../forks/rules.ts'
import { type Address, zeroAddress } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { LegacyTx } from '../types/transaction.ts'
import { blockEnvOf } from './blockEnv.ts'
import { TxError } from './fault.ts'
import { simulate } from './simulate.ts'

/** The block that a called contract sees; the call runs on the state after it. */
export interface CallBlock {
  readonly env: BlockEnv
  readonly rules: Rules
}

/** The block of calls that pay no fees: contracts see no base fee. */
export function callBlockOf(header: Header, rules: Rules, chainId: bigint, beneficiary?: Address): CallBlock {
  return { env: { ...blockEnvOf(header, rules, chainId, beneficiary), baseFee: 0n }, rules }
}

/**
 * Gas that a contract may spend that the node itself asks: where blocks have no limit worth the name, one that does not return would
 * stop every node. The same on all nodes, because blocks are judged by the answers; the most expensive code for it, hashes of much memory, takes
 * a twentieth of a second, and a list of hundreds of validators is read for less.
 */
export const maxQuestionGas = 2_000_000n

/** What a contract has answered. */
export interface ContractAnswer {
  /** Undefined if the call failed. */
  readonly output: Uint8Array | undefined
  readonly gas: bigint
}

/**
 * Calls a contract as `eth_call` does: from the zero address, with the gas of the block or `maxQuestionGas` and without fees. The EVM
 * has the state after that block, and keeps it.
 */
export function callContract(evm: Evm, { env, rules }: CallBlock, to: Address, data: Uint8Array): ContractAnswer {
  const unsigned = { v: 27n, r: 0n, s: 0n }
  const gasLimit = env.gasLimit < maxQuestionGas ? env.gasLimit : maxQuestionGas
  const tx: LegacyTx = { type: 0, nonce: 0n, gasPrice: 0n, gasLimit, to, value: 0n, data, ...unsigned }
  evm.setBlock(env, rules)
  try {
    const { status, output, gasUsed } = simulate(evm, tx, zeroAddress, { block: env, rules, pays: 'nothing' })
    return { output: status === 1 ? output : undefined, gas: gasUsed }
  } catch (error) {
    // The block's gas limit is below the intrinsic gas of the call.
    if (error instanceof TxError) return { output: undefined, gas: 0n }
    throw error
  }
}
