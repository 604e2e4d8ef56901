import type { Address, Hash32 } from '../primitives/bytes.ts'

/** The block as opcodes see it. */
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

/** The transaction as opcodes see it. */
export interface TxEnv {
  readonly origin: Address
  readonly gasPrice: bigint
  readonly blobHashes: readonly Hash32[]
}

/** A message call from outside the EVM: a transaction, a system call, `eth_call`. */
export interface Message {
  readonly from: Address
  readonly to: Address
  /** The account whose code runs; default: `to`. */
  readonly codeAddress?: Address
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint
  readonly isStatic?: boolean
  /** If false, the code sees `value` but no balance changes. Default: true. */
  readonly transfersValue?: boolean
}

/** A contract creation from outside the EVM. */
export interface CreateMessage {
  readonly from: Address
  readonly value: bigint
  readonly initCode: Uint8Array
  readonly gas: bigint
  /** If present, the address is derived as by CREATE2. */
  readonly salt?: Hash32
  /** The nonce that the address derives from; default: the creator's current nonce. */
  readonly nonce?: bigint
  /** The address of the contract, where it does not derive from the creator alone. */
  readonly address?: Address
}

/** Why a frame ended. */
export type Halt = (typeof halts)[number]

/** All halts, in the order of the WebAssembly module's halt codes. */
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

/** Returns whether a frame ended without an error: its changes stay. */
export function isSuccess(halt: Halt): boolean {
  return halt === 'stop' || halt === 'return' || halt === 'selfdestruct'
}

/** The result of a message. The fast EVM may report another exceptional halt than the exact one, never another status. */
export interface Outcome {
  /** Only the sliced and the tracing EVM pause. */
  readonly status: 'success' | 'revert' | 'halt' | 'paused'
  readonly halt: Halt
  readonly gasLeft: bigint
  /** Return data or revert data. */
  readonly output: Uint8Array
  readonly created?: Address
}

export const maxGas = (1n << 63n) - 1n

export function gasOf(gas: bigint): bigint {
  return gas > maxGas ? maxGas : gas
}
