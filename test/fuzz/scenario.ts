import type { BlockEnv } from '../../src/evm/message.ts'
import { blobBaseFee } from '../../src/execution/blobFee.ts'
import { type Rules, rulesOf } from '../../src/forks/rules.ts'
import type { ForkName } from '../../src/forks/table.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import type { Tx } from '../../src/types/transaction.ts'
import type { OracleBlock } from '../oracle/machine.ts'
import type { State } from '../oracle/state.ts'
import { addressBytes, wordBytes } from '../oracle/words.ts'

/** What is settled about the block; the chain is number 1. */
export interface ScenarioBlock {
  readonly number: bigint
  readonly timestamp: bigint
  readonly beneficiary: bigint
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly prevRandao: bigint
  readonly baseFee: bigint
  readonly excessBlobGas: bigint
}

/** A transaction whose sender is given, so that it needs no signature. */
export interface ScenarioTx {
  readonly tx: Tx
  readonly sender: bigint
}

/** A world and transactions that run in it one at a time, in one block. */
export interface Scenario {
  readonly fork: ForkName
  /** Limits that a genesis file may change. */
  readonly limits: Partial<Pick<Rules, 'maxCodeSize' | 'stackSize'>>
  readonly block: ScenarioBlock
  readonly pre: State
  readonly txs: readonly ScenarioTx[]
}

export function rulesIn({ fork, limits }: Scenario): Rules {
  return { ...rulesOf(fork), ...limits }
}

/** The hash that state tests give a block: the digest of its number in decimal digits. */
export function blockHash(number: bigint): bigint {
  return bytesToBigInt(keccak256(Buffer.from(number.toString())))
}

export function oracleBlockOf({ fork, block }: Scenario): OracleBlock {
  const { excessBlobGas, ...same } = block
  const { blobs } = rulesOf(fork)
  return { ...same, chainId: 1n, blobBaseFee: blobs ? blobBaseFee(excessBlobGas, blobs) : 0n, blockHash }
}

export function blockEnvOf(scenario: Scenario): BlockEnv {
  const { beneficiary, prevRandao, blockHash: _, ...same } = oracleBlockOf(scenario)
  return { ...same, beneficiary: addressBytes(beneficiary), prevRandao: wordBytes(prevRandao) }
}
