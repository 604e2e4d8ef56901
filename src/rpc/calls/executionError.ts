import type { Halt } from '../../evm/message.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { toHex } from '../../primitives/hex.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { RpcError } from '../protocol/fault.ts'

/** Besu's names of exceptional halts. */
export const haltNames: Readonly<Record<Halt, string>> = {
  stop: 'NONE',
  return: 'NONE',
  selfdestruct: 'NONE',
  revert: 'NONE',
  outOfGas: 'INSUFFICIENT_GAS',
  invalidOpcode: 'INVALID_OPERATION',
  stackUnderflow: 'INSUFFICIENT_STACK_ITEMS',
  stackOverflow: 'TOO_MANY_STACK_ITEMS',
  invalidJump: 'INVALID_JUMP_DESTINATION',
  staticViolation: 'ILLEGAL_STATE_CHANGE',
  returnDataBounds: 'INVALID_RETURN_DATA_BUFFER_ACCESS',
  callDepth: 'INSUFFICIENT_GAS',
  insufficientBalance: 'INSUFFICIENT_GAS',
  createCollision: 'ILLEGAL_STATE_CHANGE',
  codeTooLarge: 'CODE_TOO_LARGE',
  invalidCode: 'INVALID_CODE',
  initCodeTooLarge: 'CODE_TOO_LARGE',
  nonceOverflow: 'ILLEGAL_STATE_CHANGE',
  precompileFailure: 'PRECOMPILE_ERROR',
  codeDepositOutOfGas: 'INSUFFICIENT_GAS',
}

const errorSelector = '0x08c379a0'

/** The text of Solidity's `Error(string)`; undefined for anything else. */
export function reasonOf(output: Uint8Array): string | undefined {
  if (output.length < 4 || toHex(output.subarray(0, 4)) !== errorSelector) return undefined
  const args = output.subarray(4)
  const at = Number(bytesToBigInt(args.subarray(0, 32)))
  const length = Number(bytesToBigInt(args.subarray(at, at + 32)))
  if (args.length < 64 || at + 32 + length > args.length) return 'ABI decode error'
  return Buffer.from(args.subarray(at + 32, at + 32 + length)).toString()
}

/** The error of a call that did not succeed; with `named` it says which halt it was. */
export function executionError({ halt, output }: Pick<TxOutcome, 'halt' | 'output'>, named: boolean): RpcError {
  if (halt !== 'revert')
    return new RpcError(named ? { code: 'EXECUTION_HALTED', detail: haltNames[halt] } : { code: 'EXECUTION_HALTED' })
  const reason = reasonOf(output)
  const at = { code: 'EXECUTION_REVERTED', data: toHex(output) } as const
  return new RpcError(reason === undefined ? at : { ...at, detail: reason })
}
