import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Account } from '../types/account.ts'
import type { BlobSidecar } from '../types/blobSidecar.ts'
import type { Tx } from '../types/transaction.ts'

export type PoolAccount = Pick<Account, 'nonce' | 'balance' | 'codeHash'>

/** The chain as the pool sees it: state after the head block, rules and fees of the block that comes next. */
export interface PoolHead {
  readonly chainId: bigint
  readonly rules: Rules
  /** Undefined before London. */
  readonly baseFee: bigint | undefined
  readonly blobBaseFee: bigint
  readonly gasLimit: bigint
  /** Undefined for an account that does not exist. */
  account(address: Address): PoolAccount | undefined
  code(hash: Hash32): Uint8Array
}

/** What this node asks for as a producer of blocks. */
export interface MiningSettings {
  /** True on every node of a Clique, IBFT 2.0 or QBFT network, validator or not. */
  readonly enabled: boolean
  readonly minGasPrice: bigint
}

export interface PoolPorts {
  /** Asked at each transaction: the same object should come back until the head changes. */
  head(): PoolHead
  mining(): MiningSettings
  /** Account permissioning; all are allowed where it is left out. */
  allowed?(tx: Tx, sender: Address): boolean
  /** Whether the proofs fit the blobs and commitments; not asked for where it is left out. */
  proves?(sidecar: BlobSidecar): boolean
}
