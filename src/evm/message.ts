import type { Address, Hash32 } from '../primitives/bytes.ts'

/** What the block opcodes tell. */
export interface BlockEnv {
  readonly number: bigint
  readonly timestamp: bigint
  readonly beneficiary: Address
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly prevRandao: Hash32
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  readonly chainId: bigint
}

/** What the transaction opcodes tell. */
export interface TxEnv {
  readonly origin: Address
  readonly gasPrice: bigint
  readonly blobHashes: readonly Hash32[]
}

/** A message call from outside the EVM: a transaction, a system call, `eth_call`. */
export interface Message {
  readonly from: Address
  readonly to: Address
  /** Whose code runs in the place of `to`'s. */
  readonly codeAddress?: Address
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint
  readonly isStatic?: boolean
  /** False: `value` is only shown to the code, no balance changes. Default true. */
  readonly transfersValue?: boolean
}

/** A contract creation from outside the EVM. */
export interface CreateMessage {
  readonly from: Address
  readonly value: bigint
  readonly initCode: Uint8Array
  readonly gas: bigint
  /** Given: the address is derived as by CREATE2. */
  readonly salt?: Hash32
  /** The creator's nonce that the address derives from. Default: its nonce at the time of the call. */
  readonly nonce?: bigint
}

/** Why a frame ended. */
export type Halt = (typeof halts)[number]

/** In the order of the engine's halt codes. */
export const halts = [
  'stop',
  'return',
  'selfdestruct',
  'revert',
  'outOfGas',
  'invalidOpcode',
  'stackUnderflow',
  'stackOverflow',
  'invalidJump',
  'staticViolation',
  'returnDataBounds',
  'callDepth',
  'insufficientBalance',
  'createCollision',
  'codeTooLarge',
  'invalidCode',
  'initCodeTooLarge',
  'nonceOverflow',
  'precompileFailure',
  'codeDepositOutOfGas',
] as const

/** True for a frame that ended without an error: its changes stay. */
export function isSuccess(halt: Halt): boolean {
  return halt === 'stop' || halt === 'return' || halt === 'selfdestruct'
}

/** How a message ended. The fast engine may name another exceptional halt than the exact one, never another status. */
export interface Outcome {
  readonly status: 'success' | 'revert' | 'halt'
  readonly halt: Halt
  readonly gasLeft: bigint
  /** What was returned or reverted with. */
  readonly output: Uint8Array
  readonly created?: Address
}
