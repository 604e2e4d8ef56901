import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Account } from '../types/account.ts'
import type { BlobSidecar } from '../types/blobSidecar.ts'
import type { Tx } from '../types/transaction.ts'

export type PoolAccount = Pick<Account, 'nonce' | 'balance' | 'codeHash'>

/** The chain as the pool sees it: the state after the head block, rules and fees of the next block. */
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

/** Requirements of this node as a block producer. */
export interface MiningSettings {
  /** True on every node of a Clique, IBFT 2.0 or QBFT network, validator or not. */
  readonly enabled: boolean
  readonly minGasPrice: bigint
}

/** The answer of account permissioning; `unclear` if a rule could not be asked. */
export type PermissionVerdict = 'allowed' | 'refused' | 'unclear'

export interface PoolPorts {
  /** Called for each transaction: should return the same object until the head changes. */
  head(): PoolHead
  mining(): MiningSettings
  /** Account permissioning; if absent, all transactions are allowed. `unclear` if the rule could not be asked. */
  permits?(tx: Tx, sender: Address): PermissionVerdict
  /** The same while a block is built, by those rules alone that read no state: the block itself asks the others. */
  stillPermits?(tx: Tx, sender: Address): PermissionVerdict
  /** Returns whether the proofs of a sidecar are valid; if absent, proofs are not checked. */
  proves?(sidecar: BlobSidecar): boolean
}
